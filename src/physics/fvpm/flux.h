// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "physics/math.h"

// What flows between two particles, per second (Eqs 9 to 12 of Alimirzazadeh et al. 2018).

namespace sluice::fvpm {
inline namespace SLUICE_ISA {

/// A particle as a side of an interface.
template <class T>
struct Side {
    Vec3<T> velocity; ///< C, m/s
    T density;        ///< kg/m³
    T pressure;       ///< Pa
    T sound_speed;    ///< m/s
};

/// Gradients within a particle, by the volume gradient ∇q = (1/V) Σ ½(q_i + q_j) Δ_ij + q_i B_i/V.
template <class T>
struct SideGradients {
    Vec3<T> pressure, vx, vy, vz;
};

/// What the volume gradient adds for one pair, times V: ½ (q_j − q_i) Δ_ij. The sum of q_i over Σ Δ_ij + B_i = 0
/// vanishes.
template <class T>
SLUICE_INLINE Vec3<T> gradient_term(T q_i, T q_j, Vec3<T> delta) {
    return (T(0.5) * (q_j - q_i)) * delta;
}

/// Of two differences the smaller one, 0 where they have different signs.
template <class T>
SLUICE_INLINE T minmod(T a, T b) {
    return a * b <= 0 ? T(0) : sph::absolute(a) < sph::absolute(b) ? a : b;
}

/// The volume that the interface sweeps, ẋ_ij·Δ_ij of Eq. 12 with A_ij = −Γ_ji: it is dV/dt where supports move with ẋ.
template <class T>
SLUICE_INLINE T swept_volume(Vec3<T> motion_l, Vec3<T> vector_lr, Vec3<T> motion_r, Vec3<T> vector_rl) {
    return dot(motion_l, vector_lr) - dot(motion_r, vector_rl);
}

/// Both sides at the middle of the interface: linear in each particle, and limited by the difference between the two
/// (minmod), so that no extrema appear. Densities stay those of the particles. `separation` is x_r − x_l.
template <class T>
SLUICE_INLINE void reconstruct(Side<T>& l, Side<T>& r, const SideGradients<T>& gl, const SideGradients<T>& gr,
                               Vec3<T> separation) {
    const Vec3<T> half = T(0.5) * separation;
    const Side<T> a = l, b = r;
    const auto limit = [&](T q_l, T q_r, Vec3<T> g_l, Vec3<T> g_r, T& at_l, T& at_r) {
        const T middle = T(0.5) * (q_r - q_l);
        at_l = q_l + minmod(dot(g_l, half), middle);
        at_r = q_r - minmod(dot(g_r, half), middle);
    };
    limit(a.pressure, b.pressure, gl.pressure, gr.pressure, l.pressure, r.pressure);
    limit(a.velocity.x, b.velocity.x, gl.vx, gr.vx, l.velocity.x, r.velocity.x);
    limit(a.velocity.y, b.velocity.y, gl.vy, gr.vy, l.velocity.y, r.velocity.y);
    limit(a.velocity.z, b.velocity.z, gl.vz, gr.vz, l.velocity.z, r.velocity.z);
}

/// What leaves the left particle for the right one.
template <class T>
struct Flux {
    T mass;           ///< kg/s
    Vec3<T> momentum; ///< N
};

/// P5⁺ of AUSM+ with α = 3/16, the share of the left side's pressure at a Mach number; P5⁻(m) = P5⁺(−m).
template <class T>
SLUICE_INLINE T pressure_split(T m) {
    const T s = m * m - 1, subsonic = T(0.25) * (m + 1) * (m + 1) * (2 - m) + T(0.1875) * m * s * s;
    return m >= 1 ? T(1) : m <= -1 ? T(0) : subsonic;
}

/// M4⁺ of AUSM+ with β = 1/8; M4⁻(m) = −M4⁺(−m).
template <class T>
SLUICE_INLINE T mach_split(T m) {
    const T s = m * m - 1, subsonic = T(0.25) * (m + 1) * (m + 1) + T(0.125) * s * s;
    return m >= 1 ? m : m <= -1 ? T(0) : subsonic;
}

/// The flux of AUSM+ (Liou 1996) through an interface of vector `delta` = Δ_lr, not 0, that sweeps `swept`. Its
/// splitting of the pressure is for a gas: `background` = ρ0 a²/γ makes Tait's pressure that of one, p + B ∝ ρ^γ, and
/// is subtracted again. The smoothing of masses, G of the paper, is the pressure term of AUSM+-up (Liou 2006) with the
/// factor `smoothing`.
template <class T>
SLUICE_INLINE Flux<T> ausm_flux(const Side<T>& l, const Side<T>& r, Vec3<T> delta, T swept, T background, T smoothing) {
    const T area = norm(delta);
    const T a = T(0.5) * (l.sound_speed + r.sound_speed), to_mach = 1 / (area * a);
    const T ml = (dot(l.velocity, delta) - swept) * to_mach, mr = (dot(r.velocity, delta) - swept) * to_mach;
    const T pressure =
        pressure_split(ml) * (l.pressure + background) + pressure_split(-mr) * (r.pressure + background) - background;
    const T mean_density = T(0.5) * (l.density + r.density);
    const T slow = sph::maximum(1 - T(0.5) * (ml * ml + mr * mr), T(0));
    const T smoothed = smoothing * slow * (r.pressure - l.pressure) / (mean_density * a * a);
    const T m = mach_split(ml) - mach_split(-mr) - smoothed;
    const T mass = area * a * m * (m > 0 ? l.density : r.density);
    return {mass, mass * (m > 0 ? l.velocity : r.velocity) + pressure * delta};
}

/// The pressure between a wall and the fluid beside it: on the other side of a wall is the fluid's mirror image, which
/// has its pressure and the opposite velocity. `outwards` is Δ from the fluid to the wall, `swept` what the interface
/// sweeps.
template <class T>
SLUICE_INLINE T wall_pressure(const Side<T>& fluid, Vec3<T> outwards, T swept, T background) {
    const T mach = (dot(fluid.velocity, outwards) - swept) / (norm(outwards) * fluid.sound_speed);
    return 2 * pressure_split(mach) * (fluid.pressure + background) - background;
}

/// The viscous stress 2μ(ε − ⅓ tr ε I)·Δ of Eqs 3 and 4, a force on the left particle. The gradient is the mean of the
/// two, with the difference of the velocities along the line between them.
template <class T>
SLUICE_INLINE Vec3<T> viscous_force(const Side<T>& l, const Side<T>& r, const SideGradients<T>& gl,
                                    const SideGradients<T>& gr, Vec3<T> separation, Vec3<T> delta, T viscosity) {
    const T inverse = 1 / dot(separation, separation);
    const auto gradient = [&](T q_l, T q_r, Vec3<T> g_l, Vec3<T> g_r) {
        const Vec3<T> mean = T(0.5) * (g_l + g_r);
        return mean + ((q_r - q_l - dot(mean, separation)) * inverse) * separation;
    };
    const Vec3<T> gx = gradient(l.velocity.x, r.velocity.x, gl.vx, gr.vx);
    const Vec3<T> gy = gradient(l.velocity.y, r.velocity.y, gl.vy, gr.vy);
    const Vec3<T> gz = gradient(l.velocity.z, r.velocity.z, gl.vz, gr.vz);
    const Vec3<T> along = {dot(gx, delta), dot(gy, delta), dot(gz, delta)};
    const Vec3<T> across = delta.x * gx + delta.y * gy + delta.z * gz; // the transpose
    const T divergence = gx.x + gy.y + gz.z;
    return viscosity * (along + across - (T(2) / 3 * divergence) * delta);
}

} // namespace SLUICE_ISA
} // namespace sluice::fvpm

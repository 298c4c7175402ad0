// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "core/vec.h"
#include "model/fvpm_constants.h"
#include "physics/fvpm/flux.h"
#include "physics/math.h"

// The formulas of one particle.

namespace sluice::fvpm {
inline namespace SLUICE_ISA {

/// Tait's equation of state (Eq. 5) with γ = 7.
template <class T>
struct Tait {
    T rho0, sound_speed, background; ///< background: B = ρ0 a²/γ, Pa

    SLUICE_HD explicit Tait(const FvpmConstants& c)
        : rho0(T(c.rho0)), sound_speed(T(c.sound_speed)), background(T(c.rho0 * c.sound_speed * c.sound_speed / 7)) {}
    /// Pressure of a density. With ε = ρ/ρ0 − 1 it keeps the digits that (ρ/ρ0)^7 − 1 would lose.
    SLUICE_INLINE T pressure(T rho) const {
        const T e = (rho - rho0) / rho0;
        return background * (e * (7 + e * (21 + e * (35 + e * (35 + e * (21 + e * (7 + e)))))));
    }
    /// dp/dρ is the square of this: a (ρ/ρ0)³.
    SLUICE_INLINE T speed(T rho) const {
        const T q = rho / rho0;
        return sound_speed * q * q * q;
    }
};

/// The measure of a face of a particle, h² (in 2-D h).
template <class T>
SLUICE_INLINE T face_of(T radius, const FvpmConstants& c) {
    return c.dimensions == 3 ? radius * radius : radius;
}

/// The share, 0 to 1, to which a particle belongs to the free surface. `boundary` is |B_i|, the area without
/// neighbours, and `face` is h^(d−1).
template <class T>
SLUICE_INLINE T surface_share(T boundary, T face, const FvpmConstants& c) {
    if (!c.free_surface) return 0;
    const T share = (boundary / face - T(c.uncovered_from)) / T(c.uncovered_to - c.uncovered_from);
    return sph::minimum(sph::maximum(share, T(0)), T(1));
}

/// What the fluxes need to know of a particle. The volume of one at a free surface reaches into the air: its density is
/// below ρ0 and its pressure 0, until others come so near that its fluid fills its volume.
template <class T>
SLUICE_INLINE Side<T> side_of(T mass, T volume, Vec3<T> momentum, const Tait<T>& tait, bool free_surface) {
    const T rho = mass / volume;
    const T inner = free_surface ? sph::maximum(rho, tait.rho0) : rho; // water that may tear has no negative pressure
    return {(1 / mass) * momentum, rho, tait.pressure(inner), tait.speed(inner)};
}

/// The velocity with which a particle moves: that of its fluid and, beneath the surface, a part that keeps particles
/// evenly spaced. `thin` is Σ_j A_ij, which points to where its support is covered least.
template <class T>
SLUICE_INLINE Vec3<T> motion_of(Vec3<T> velocity, Vec3<T> thin, T face, T surface, const FvpmConstants& c) {
    return velocity + (T(c.correction) * (1 - surface) * norm(velocity) / face) * thin;
}

/// h/(a + |C|), the least of which limits the time step (Eq. 22), s.
template <class T>
SLUICE_INLINE T crossing_time(T radius, const Side<T>& side) {
    return radius / (side.sound_speed + norm(side.velocity));
}

/// Whether a particle of the fluid is one that no run can keep: outside of the box, or with a density above the largest
/// (kg/m³), below 0, or none at all.
SLUICE_HD inline bool is_stray(const Vec3d& x, double mass, double volume, const Box& domain, double largest_density) {
    const bool inside = x.x >= domain.min.x && x.x <= domain.max.x && x.y >= domain.min.y && x.y <= domain.max.y &&
                        x.z >= domain.min.z && x.z <= domain.max.z;
    return !(inside && mass > 0 && volume > 0 && mass <= largest_density * volume);
}

/// A particle as one of a pair.
template <class T>
struct PairSide {
    Side<T> side;
    SideGradients<T> gradients;
    Vec3<T> motion, position; ///< ẋ; x
    Vec3<T> vector;           ///< A towards the other one
    bool wall;
};

/// What a pair adds to the rates of its right particle, and takes from its left one; `swept` the other way round.
template <class T>
struct PairRates {
    T mass, swept;
    Vec3<T> momentum;
};

/// Eqs 9 and 10 for one pair. A wall lets no mass through; two parts of walls do not act on each other.
template <class T>
SLUICE_INLINE PairRates<T> pair_rates(const PairSide<T>& l, const PairSide<T>& r, T background,
                                      const FvpmConstants& c) {
    const Vec3<T> delta = l.vector - r.vector;
    if ((l.wall & r.wall) || dot(delta, delta) == 0) return {};
    const Vec3<T> separation = r.position - l.position;
    const T swept = swept_volume(l.motion, l.vector, r.motion, r.vector);
    Flux<T> flux{};
    if (l.wall | r.wall) {
        const T of_fluid = r.wall ? wall_pressure(l.side, delta, swept, background)
                                  : wall_pressure(r.side, T(-1) * delta, -swept, background);
        const T pressure = c.free_surface ? sph::maximum(of_fluid, T(0)) : of_fluid; // water leaves a wall freely
        flux.momentum = pressure * delta;
    } else {
        Side<T> at_l = l.side, at_r = r.side;
        reconstruct(at_l, at_r, l.gradients, r.gradients, separation);
        flux = ausm_flux(at_l, at_r, delta, swept, background, T(c.mass_smoothing));
    }
    if (c.viscosity > 0)
        flux.momentum =
            flux.momentum - viscous_force(l.side, r.side, l.gradients, r.gradients, separation, delta, T(c.viscosity));
    return {flux.mass, swept, flux.momentum};
}

/// What a pair adds to the gradients of its first particle, times V: nothing where one of the two is a wall.
template <class T>
SLUICE_INLINE void add_gradients(SideGradients<T>& sum, const Side<T>& a, const Side<T>& b, Vec3<T> delta, bool wall) {
    if (wall) return;
    sum.pressure = sum.pressure + gradient_term(a.pressure, b.pressure, delta);
    sum.vx = sum.vx + gradient_term(a.velocity.x, b.velocity.x, delta);
    sum.vy = sum.vy + gradient_term(a.velocity.y, b.velocity.y, delta);
    sum.vz = sum.vz + gradient_term(a.velocity.z, b.velocity.z, delta);
}

} // namespace SLUICE_ISA
} // namespace sluice::fvpm

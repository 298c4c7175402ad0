// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "methods/mps/operators.h"
#include "model/constants.h"

// What a pair of particles adds to a weakly compressible flow by MPS. The equations of motion are those of Shakibaeinia
// & Jin (2010), "A weakly compressible MPS method for modeling of open-boundary free-surface flow", with the density by
// the continuity equation (Jandaghian & Shakibaeinia 2020, "An enhanced weakly-compressible MPS method for free-surface
// flows"). With d dimensions, n0 and λ0 of a full lattice (normalisation.h), w the weight, r_ij = r_j − r_i:
//
//   dρ_i/dt = −ρ_i ⟨∇·v⟩_i + δ c0 h ⟨∇²ρ'⟩_i     ⟨∇·v⟩_i = d/n0 Σ_j w (v_j − v_i)·r_ij/|r_ij|²
//   dv_i/dt = −⟨∇p⟩_i/ρ0 + ν ⟨∇²v⟩_i + g           ⟨∇p⟩_i  = d/n0 Σ_j w (p_i + p_j) r_ij/|r_ij|²
//   p_i = max(0, B[(ρ_i/ρ0)^γ − 1])                ⟨∇²φ⟩_i = 2d/(λ0 n0) Σ_j w (φ_j − φ_i)
//
// The gradient is that of Toyota, Akimoto & Kubo (2005), which is minus the adjoint of the divergence: pairs conserve
// momentum, and pressure does the work that compression takes. The diffusion smooths ρ' = ρ − ρ0 g·r/c0², what is left
// of the density without that of still water, among fluid particles. A wall particle has the pressure of the fluid
// around it (Adami, Hu & Adams 2012):
//
//   p_w = max(0, Σ_f w (p_f + ρ_f g·(r_w − r_f))/Σ_f w)

namespace sluice::mps {
inline namespace SLUICE_ISA {

/// How strongly densities are smoothed, δ.
inline constexpr double density_diffusion = 0.1;

/// Below this part of n0 a particle is one of the free surface, β (Koshizuka & Oka 1996).
inline constexpr double surface_fullness = 0.97;

/// What turns sums over pairs into rates. Separations count the radius of the interaction domain.
struct FlowScale {
    double divergence = 0;     ///< d/(n0 r_e), 1/m
    double pressure = 0;       ///< −d/(n0 r_e ρ0), m²/kg
    double friction = 0;       ///< 2d ν/(λ0 n0), 1/s
    double diffusion = 0;      ///< 2d δ c0 h/(λ0 n0), 1/s
    double still_density[3]{}; ///< r_e ρ0 g/c0²: by which the density of still water grows along a radius, kg/m³
    double gravity[3]{};       ///< g, m/s²
    double radius = 0;         ///< r_e, m
    double inverse_n0 = 0;
};

/// The flow at one particle, or at several in lanes.
template <class Real>
struct FlowAt {
    Real vx, vy, vz, ///< m/s
        rho,         ///< kg/m³
        p,           ///< Pa
        fluid;       ///< 1, or 0 of a wall
};

/// Sums of the continuity equation.
struct ContinuitySums {
    static constexpr int count = 3;

    /// Adds neighbour `b` at `d` to the sums of particle `a`.
    template <class Real>
    SLUICE_INLINE static void add(const FlowScale& scale, const Separation<Real>& d, const FlowAt<Real>& a,
                                  const FlowAt<Real>& b, Real (&sums)[count]) {
        const Real along = (b.vx - a.vx) * d.x + (b.vy - a.vy) * d.y + (b.vz - a.vz) * d.z;
        const Real still = Real(scale.still_density[0]) * d.x + Real(scale.still_density[1]) * d.y +
                           Real(scale.still_density[2]) * d.z;
        sums[0] += Sphere::weight_over_square(d) * along;
        const Real w = Sphere::weight(d);
        sums[1] += w * b.fluid * (b.rho - a.rho - still);
        sums[2] += w;
    }
    /// dρ/dt, kg/m³/s.
    SLUICE_INLINE static double rate(const FlowScale& scale, double rho, const double (&sums)[count]) {
        return scale.diffusion * sums[1] - scale.divergence * rho * sums[0];
    }
    /// n/n0, the particle number density as a part of that of a full lattice.
    SLUICE_INLINE static double fullness(const FlowScale& scale, const double (&sums)[count]) {
        return scale.inverse_n0 * (sums[2] - 1); // without the particle itself, whose weight is 1
    }
};

/// Sums of the equation of motion.
struct MotionSums {
    static constexpr int count = 6;

    /// As ContinuitySums::add.
    template <class Real>
    SLUICE_INLINE static void add(const FlowScale&, const Separation<Real>& d, const FlowAt<Real>& a,
                                  const FlowAt<Real>& b, Real (&sums)[count]) {
        const Real push = Sphere::weight_over_square(d) * (a.p + b.p), drag = Sphere::weight(d);
        sums[0] += push * d.x;
        sums[1] += push * d.y;
        sums[2] += push * d.z;
        sums[3] += drag * (b.vx - a.vx);
        sums[4] += drag * (b.vy - a.vy);
        sums[5] += drag * (b.vz - a.vz);
    }
    /// dv/dt along an axis, m/s².
    SLUICE_INLINE static double rate(const FlowScale& scale, int axis, const double (&sums)[count]) {
        return scale.pressure * sums[axis] + scale.friction * sums[3 + axis] + scale.gravity[axis];
    }
};

/// Sums of the pressure of a wall.
struct WallSums {
    static constexpr int count = 5;

    /// As ContinuitySums::add.
    template <class Real>
    SLUICE_INLINE static void add(const FlowScale&, const Separation<Real>& d, const FlowAt<Real>&,
                                  const FlowAt<Real>& b, Real (&sums)[count]) {
        const Real w = Sphere::weight(d) * b.fluid, weighed = w * b.rho;
        sums[0] += w;
        sums[1] += w * b.p;
        sums[2] += weighed * d.x;
        sums[3] += weighed * d.y;
        sums[4] += weighed * d.z;
    }
    /// Pa; 0 without fluid in reach.
    SLUICE_INLINE static double pressure(const FlowScale& scale, const double (&sums)[count]) {
        if (!(sums[0] > 0)) return 0;
        const double weight =
            scale.gravity[0] * sums[2] + scale.gravity[1] * sums[3] + scale.gravity[2] * sums[4]; // r_f − r_w
        return positive_part((sums[1] - scale.radius * weight) / sums[0]);
    }
};

} // namespace SLUICE_ISA

/// The scale for the constants of a run, whose radius is 2h.
FlowScale flow_scale(const sph::Constants& constants);

} // namespace sluice::mps

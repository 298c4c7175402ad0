// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/rheology.h"
#include "physics/sph/sub_particle_stress.h"
#include <cmath>

// Generalised Newtonian fluids: the viscosity ν follows the rate of strain D = √(½ S:S), half the shear rate in simple
// shear, S = ½ (∇v + ∇vᵀ); the stress over the density is 2ν S.
//
//   Herschel–Bulkley, regularised (Papanastasiou 1987)    ν = τ_y (1 − e^{−mD})/(2D) + K D^{n−1}
//   bi-viscous                                            ν = min(τ_y/(2D), B K) + K D^{n−1}
//   Carreau–Yasuda (Yasuda et al. 1981)                   ν = ν_∞ + (K − ν_∞) (1 + (λ 2D)^a)^{(n−1)/a}
//
// With an n below 1 the term with K takes D not below 1/m; with one above 1, not above `greatest_rate`.
//
//   dv_a/dt += Σ_b m_b 4 ν_ab (r_ab·∇_aW) v_ab/((ρ_a + ρ_b) r²)      ν_ab = 2 ν_a ν_b/(ν_a + ν_b), at walls ν_a
//
// (Morris et al. 1997 with the harmonic mean, which keeps the stress steady where the viscosity jumps; Cleary &
// Monaghan 1999). What one particle gives its neighbour gets.

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// D, 1/s, of the gradient of the velocity (the sums of VelocityGradient).
template <class S>
SLUICE_INLINE S rate_of_strain(const S* gradient) {
    const S xx = gradient[0], yy = gradient[4], zz = gradient[8];
    const S xy = S(0.5) * (gradient[1] + gradient[3]), xz = S(0.5) * (gradient[2] + gradient[6]),
            yz = S(0.5) * (gradient[5] + gradient[7]);
    return square_root(S(0.5) * (xx * xx + yy * yy + zz * zz) + (xy * xy + xz * xz + yz * yz));
}

/// The fastest rate of strain that a run can resolve, 1/s: the fastest flow that is nearly incompressible, over a
/// spacing.
inline double greatest_rate(const Constants& c) { return 0.1 * c.c0 / c.dp; }

/// ν, m²/s, at the rate of strain D, 1/s.
template <class S>
SLUICE_INLINE S apparent_viscosity(const Rheology& fluid, S rate, S greatest_rate) {
    using std::expm1, std::pow;
    const S k = S(fluid.consistency), n = S(fluid.exponent), yield = S(fluid.yield), m = S(fluid.regularisation);
    if (fluid.law == RheologyLaw::carreau_yasuda) {
        const S fast = S(fluid.fast), a = S(fluid.transition);
        return fast + (k - fast) * S(pow(S(1) + S(pow(S(fluid.relaxation) * S(2) * rate, a)), (n - S(1)) / a));
    }
    S plastic;
    if (fluid.law == RheologyLaw::bi_viscous) {
        const S stiff = S(fluid.bi_ratio) * k;
        plastic = yield < S(2) * rate * stiff ? yield / (S(2) * rate) : stiff;
    } else
        plastic = yield * (m * rate > S(1e-4) ? -S(expm1(-m * rate)) / (S(2) * rate) : S(0.5) * m);
    if (n == S(1)) return plastic + k;
    const S least = n < S(1) ? S(1) / m : S(0), most = n > S(1) ? greatest_rate : rate;
    return plastic + k * S(pow(rate < least ? least : rate > most ? most : rate, n - S(1)));
}

/// The greatest viscosity that a fluid can have, m²/s.
inline double greatest_viscosity(const Rheology& fluid, double greatest_rate) {
    const double at_rest = apparent_viscosity(fluid, 0.0, greatest_rate),
                 fastest = apparent_viscosity(fluid, greatest_rate, greatest_rate);
    return fluid.exponent > 1 ? at_rest + fastest : at_rest; // of plastic fluids each part alone is monotonous
}

/// What is the same for all pairs of ViscousForce.
template <class S>
struct ViscousForceConstants : FlowGradientConstants<S> {
    S four;        ///< over the unit of length, 1/m
    bool at_walls; ///< the neighbour is a boundary particle
    S wall_factor; ///< of the viscosity there (`boundary_viscosity_factor`)

    ViscousForceConstants() = default;
    ViscousForceConstants(const Constants& c, PairKind kind, LengthUnit unit)
        : FlowGradientConstants<S>(c, kind, unit), four(S(4 / unit.metres)), at_walls(kind == PairKind::fluid_boundary),
          wall_factor(S(c.boundary_viscosity_factor)) {}
};

/// The operator (see flow_gradients.h) that sums up the force of the viscosity on a particle, m/s².
template <class KernelT>
struct ViscousForce : FlowOperator<KernelT> {
    template <class S>
    using Constants = ViscousForceConstants<S>;
    static constexpr int sum_count = 3;

    template <class Real>
    struct Side {
        Real vx, vy, vz; ///< velocity, m/s
        Real rho;        ///< density, kg/m³
        Real nu;         ///< apparent viscosity, m²/s; not read of boundary particles
    };

    template <class Real, class S>
    SLUICE_INLINE static void add(const Constants<S>& c, Real /*dx*/, Real /*dy*/, Real /*dz*/, Real r2,
                                  const Side<Real>& a, const Side<Real>& b, Real (&sums)[sum_count]) {
        const Real sum_of_rho = a.rho + b.rho;
        Real nu;
        if (c.at_walls)
            nu = c.wall_factor * a.nu * reciprocal(sum_of_rho);
        else
            nu = S(2) * (a.nu * b.nu) *
                 reciprocal(maximum(a.nu + b.nu, Real(S(1e-18))) * sum_of_rho); // both may be zero
        const Real weight = c.four * (gradient_factor<KernelT>(c, r2) * nu);
        sums[0] += weight * (a.vx - b.vx);
        sums[1] += weight * (a.vy - b.vy);
        sums[2] += weight * (a.vz - b.vz);
    }
};

} // namespace SLUICE_ISA
} // namespace sluice::sph

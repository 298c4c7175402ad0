// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/sph/flow_gradients.h"

// The sub-particle-scale model of turbulence (Gotoh et al. 2001; Dalrymple & Rogers 2006), beside laminar viscosity:
//
//   τ_ij/ρ = 2ν_t (S_ij − δ_ij S_kk/3) − δ_ij (2/3) C_I Δ² |S|²      ν_t = (C_s Δ)² |S|      |S|² = 2 S_ij S_ij
//   dv_a/dt += Σ_b m_b (τ_a/ρ_a² + τ_b/ρ_b²)·∇_aW
//
// with the rate of strain S of the fluid and Δ = dp. The part with δ_ij alone acts like a pressure, and is one: it goes
// into the pressure term of the interaction, so that walls and bodies feel it. The rest is a second pass over the
// fluid.

namespace sluice::sph {
inline namespace SLUICE_ISA {

inline constexpr double isotropic_part = 0.0066; ///< C_I

/// The operator (see flow_gradients.h) that sums up the gradient of the velocity at a particle: ∂_j v_i is sum 3i + j.
///   ∂_j v_i = Σ_b V_b (v_b − v_a)_i ∂_jW
template <class KernelT>
struct VelocityGradient : FlowOperator<KernelT> {
    static constexpr int sum_count = 9;

    template <class Real, class S>
    SLUICE_INLINE static void add(const FlowGradientConstants<S>& c, Real dx, Real dy, Real dz, Real r2,
                                  const FlowSide<Real>& a, const FlowSide<Real>& b, Real (&sums)[sum_count]) {
        const Real weight = gradient_factor<KernelT>(c, r2) * reciprocal(b.rho); // V_b F
        const Real x = weight * dx, y = weight * dy, z = weight * dz;
        const Real vx = b.vx - a.vx, vy = b.vy - a.vy, vz = b.vz - a.vz;
        sums[0] += vx * x;
        sums[1] += vx * y;
        sums[2] += vx * z;
        sums[3] += vy * x;
        sums[4] += vy * y;
        sums[5] += vy * z;
        sums[6] += vz * x;
        sums[7] += vz * y;
        sums[8] += vz * z;
    }
};

/// τ/ρ² of one particle: the part without trace, whose yy is −xx − zz, and what is added to the pressure term P/ρ².
template <class Real>
struct Stress {
    Real xx, zz, xy, xz, yz;
    Real pressure_term;
};

template <class Real>
SLUICE_INLINE Stress<Real> operator*(Real factor, const Stress<Real>& s) {
    return {factor * s.xx, factor * s.zz, factor * s.xy, factor * s.xz, factor * s.yz, factor * s.pressure_term};
}

/// The stress of a particle from the gradient of the velocity (the sums of VelocityGradient) and its density.
template <class S>
SLUICE_INLINE Stress<S> sub_particle_stress(const Constants& c, const S* gradient, S rho) {
    const S xx = gradient[0], yy = gradient[4], zz = gradient[8];
    const S xy = S(0.5) * (gradient[1] + gradient[3]), xz = S(0.5) * (gradient[2] + gradient[6]),
            yz = S(0.5) * (gradient[5] + gradient[7]);
    const S magnitude2 = S(2) * (xx * xx + yy * yy + zz * zz + S(2) * (xy * xy + xz * xz + yz * yz));
    const S length = S(c.smagorinsky * c.dp), third = (xx + yy + zz) / S(3);
    const S twice = S(2) * (length * length) * square_root(magnitude2) / rho; // 2ν_t/ρ
    return {twice * (xx - third), twice * (zz - third), twice * xy,
            twice * xz,           twice * yz,           S(2.0 / 3 * isotropic_part * c.dp * c.dp) * magnitude2 / rho};
}

/// The operator that sums up what the stresses of a fluid particle and of its fluid neighbours do to it, m/s².
template <class KernelT>
struct StressDivergence {
    using Kernel = KernelT;
    template <class S>
    using Constants = FlowGradientConstants<S>;
    template <class Real>
    using Side = Stress<Real>;
    static constexpr int sum_count = 3;
    static constexpr bool sees_boundary = false;

    /// Of anything that has the members of Stress.
    template <class Real, class Loaded>
    SLUICE_INLINE static Side<Real> read(const Loaded& p) {
        return {Real(p.xx), Real(p.zz), Real(p.xy), Real(p.xz), Real(p.yz), Real(Scalar<Real>(0))};
    }

    template <class Real, class S>
    SLUICE_INLINE static void add(const Constants<S>& c, Real dx, Real dy, Real dz, Real r2, const Side<Real>& a,
                                  const Side<Real>& b, Real (&sums)[sum_count]) {
        const Real weight = gradient_factor<Kernel>(c, r2); // m_b F
        const Real xx = a.xx + b.xx, zz = a.zz + b.zz, xy = a.xy + b.xy, xz = a.xz + b.xz, yz = a.yz + b.yz;
        sums[0] += weight * (xx * dx + xy * dy + xz * dz);
        sums[1] += weight * (xy * dx - (xx + zz) * dy + yz * dz);
        sums[2] += weight * (xz * dx + yz * dy + zz * dz);
    }
};

} // namespace SLUICE_ISA
} // namespace sluice::sph

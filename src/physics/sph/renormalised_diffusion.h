// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/sph/flow_gradients.h"

// The density diffusion of δ-SPH (Antuono et al. 2010; Marrone et al. 2011), which leaves out what a linear field of
// density would give and so knows the weight of water without being told of gravity:
//
//   dρ_a/dt += 2δ h c0 Σ_b V_b ψ_ab r_ba·∇_aW/(r² + η²)      ψ_ab = (ρ_b − ρ_a) − ½ (g_a + g_b)·r_ba
//   g_a = M_a⁻¹ Σ_b V_b (ρ_b − ρ_a) ∇_aW                     M_a = Σ_b V_b r_ba⊗∇_aW
//
// r_ba = r_b − r_a. The sum over b of g_a goes over boundary particles, too, that of the diffusion over fluid alone.
// g_a, the renormalised gradient (Randles & Libersky 1996), is exact for linear fields wherever M can be inverted, at
// the free surface too; where its least eigenvalue is 0.1 or less, in spray, g_a is zero. ψ is of second order in the
// spacing. What one particle gives its neighbour gets.

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// The least eigenvalue of M with which g_a is taken to mean something.
inline constexpr double least_renormalised = 0.1;

/// The operator (see flow_gradients.h) that sums up Σ_b V_b (ρ_b − ρ_a) ∇_aW (three, kg/m⁴), and of the symmetric
/// matrix M its elements xx, yy, zz, xy, xz, yz.
template <class KernelT>
struct DensityGradient : FlowOperator<KernelT> {
    static constexpr int sum_count = 9;
    static constexpr bool sees_boundary = false;

    template <class Real>
    struct Side {
        Real rho; ///< density, kg/m³
    };
    template <class Real, class Loaded>
    SLUICE_INLINE static Side<Real> read(const Loaded& p) {
        return {Real(p.rho)};
    }

    template <class Real, class S>
    SLUICE_INLINE static void add(const FlowGradientConstants<S>& c, Real dx, Real dy, Real dz, Real r2,
                                  const Side<Real>& a, const Side<Real>& b, Real (&sums)[sum_count]) {
        const Real weight = gradient_factor<KernelT>(c, r2) * reciprocal(b.rho); // V_b F
        const Real gx = weight * dx, gy = weight * dy, gz = weight * dz;
        const Real more = b.rho - a.rho;
        sums[0] += more * gx;
        sums[1] += more * gy;
        sums[2] += more * gz;
        const Real x = -(dx * c.metres), y = -(dy * c.metres), z = -(dz * c.metres);
        sums[3] += x * gx;
        sums[4] += y * gy;
        sums[5] += z * gz;
        sums[6] += x * gy;
        sums[7] += x * gz;
        sums[8] += y * gz;
    }
};

/// g_a, kg/m⁴, from the sums of DensityGradient.
template <class S>
SLUICE_INLINE Vec3<S> renormalised_gradient(bool two_d, const S* sums) {
    const S* const m = sums + 3;
    const S yy = two_d ? S(1) : m[1]; // nothing depends on y in 2-D
    const Vec3<S> rows[3] = {{m[0], m[3], m[4]}, {m[3], yy, m[5]}, {m[4], m[5], m[2]}};
    // M less the least eigenvalue that it may have is positive definite where its leading minors are positive
    const S least = S(least_renormalised);
    const S xx = m[0] - least, cut_yy = yy - least, zz = m[2] - least;
    const S minor = xx * cut_yy - m[3] * m[3];
    const S determinant = zz * minor + m[4] * (m[3] * m[5] - m[4] * cut_yy) + m[5] * (m[3] * m[4] - m[5] * xx);
    if (!(xx > S(0) && minor > S(0) && determinant > S(0))) return {};
    const Vec3<S> c0 = cross(rows[1], rows[2]), c1 = cross(rows[2], rows[0]), c2 = cross(rows[0], rows[1]);
    const S inverse = S(1) / dot(rows[0], c0);
    return inverse * (sums[0] * c0 + sums[1] * c1 + sums[2] * c2);
}

/// What is the same for all pairs of the diffusion.
template <class S>
struct RenormalisedDiffusionConstants : FlowGradientConstants<S> {
    S eta2;        ///< 0.01 h²; lengths count the unit of the separations
    S half_metres; ///< half the unit, m
    S diffusion;   ///< 2 δ h c0 over the unit

    RenormalisedDiffusionConstants() = default;
    RenormalisedDiffusionConstants(const Constants& c, PairKind kind, LengthUnit unit)
        : FlowGradientConstants<S>(c, kind, unit), eta2(S(c.eta2 / (unit.metres * unit.metres))),
          half_metres(S(0.5 * unit.metres)), diffusion(S(2 * c.delta * c.h * c.c0 / unit.metres)) {}
};

/// The operator that sums up dρ/dt of the diffusion, kg/(m³ s). It reads g_a in place of velocities.
template <class KernelT>
struct RenormalisedDiffusion : FlowOperator<KernelT> {
    template <class S>
    using Constants = RenormalisedDiffusionConstants<S>;
    static constexpr int sum_count = 1;
    static constexpr bool sees_boundary = false;

    template <class Real, class S>
    SLUICE_INLINE static void add(const Constants<S>& c, Real dx, Real dy, Real dz, Real r2, const FlowSide<Real>& a,
                                  const FlowSide<Real>& b, Real (&sums)[sum_count]) {
        const Real linear = c.half_metres * ((a.vx + b.vx) * dx + (a.vy + b.vy) * dy + (a.vz + b.vz) * dz);
        const Real excess = (a.rho - b.rho) - linear; // −ψ
        const Real weight = gradient_factor<KernelT>(c, r2) * reciprocal(b.rho * (r2 + c.eta2));
        sums[0] += c.diffusion * (weight * r2 * excess);
    }
};

} // namespace SLUICE_ISA
} // namespace sluice::sph

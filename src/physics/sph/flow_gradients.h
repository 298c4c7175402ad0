// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/frame.h"
#include "physics/sph/pair_rates.h"
#include <array>

// Derivatives of the flow at a fluid particle, as sums over its fluid and boundary neighbours (Monaghan 1992, 2005):
//
//   curl v_a = Σ_b V_b ∇_aW × (v_b − v_a) = Σ_b V_b F v_ab × r_ab
//   div v_a  = Σ_b V_b (v_b − v_a)·∇_aW   = −Σ_b V_b F v_ab·r_ab
//   div r_a  = Σ_b V_b (r_b − r_a)·∇_aW   = −Σ_b V_b F r²       V_b = m_b/ρ_b, ∇_aW = F r_ab
//
// The last one is the number of dimensions where neighbours are all around, and less at the surface (Lee et al. 2008).

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// What is the same for all pairs with one kind of neighbour, in the scalar type S.
template <class S>
struct FlowGradientConstants {
    S support2; ///< (2h)²; lengths count the unit of the separations
    S h, inverse_h;
    S gradient_scale; ///< turns the shape of (dw/dq)/q into what times a separation is m_b ∇W, kg/m^(d+1)
    S metres;         ///< of the unit

    FlowGradientConstants() = default;
    /// `kind`: fluid_fluid or fluid_boundary.
    FlowGradientConstants(const Constants& c, PairKind kind, LengthUnit unit)
        : support2(S(4 * c.h * c.h / (unit.metres * unit.metres))), h(S(c.h / unit.metres)),
          inverse_h(S(unit.metres / c.h)), metres(S(unit.metres)) {
        const double m_b = kind == PairKind::fluid_boundary ? c.mass_bound : c.mass_fluid;
        gradient_scale = with_kernel(c.kernel, [&]<class K>(K) {
            return S(m_b * K::normalisation(c.h, c.two_d) * K::derivative_scale / (c.h * c.h) * unit.metres);
        });
    }
};

/// The flow of a particle.
template <class Real>
struct FlowSide {
    Real vx, vy, vz; ///< velocity, m/s
    Real rho;        ///< density, kg/m³
};

/// An operator on pairs that a backend's gather runs: for a target a and each neighbour b closer than the support
/// radius (or farther: then it adds nothing), `add` adds the pair's terms to the target's sums. It declares
///   Constants<S>       made from the run's constants, the kind of neighbour and the unit of the separations
///   Side<Real>, read   what it reads of a particle besides the position, from whatever a backend has loaded
///   sum_count          how many numbers it sums up for each target
///   sees_boundary      whether boundary particles are neighbours, too
/// What those have in common that read flow, of walls, too.
template <class KernelT>
struct FlowOperator {
    using Kernel = KernelT;
    template <class S>
    using Constants = FlowGradientConstants<S>;
    template <class Real>
    using Side = FlowSide<Real>;
    static constexpr bool sees_boundary = true;

    template <class Real, class Loaded>
    SLUICE_INLINE static FlowSide<Real> read(const Loaded& p) {
        return {Real(p.vx), Real(p.vy), Real(p.vz), Real(p.rho)};
    }
};

/// The operator that sums up curl and divergence of the velocity and the divergence of the positions.
template <class KernelT>
struct FlowGradients : FlowOperator<KernelT> {
    static constexpr int sum_count = 5;

    template <class Real, class S>
    SLUICE_INLINE static void add(const FlowGradientConstants<S>& c, Real dx, Real dy, Real dz, Real r2,
                                  const FlowSide<Real>& a, const FlowSide<Real>& b, Real (&sums)[sum_count]) {
        const Real weight = gradient_factor<KernelT>(c, r2) * reciprocal(b.rho); // V_b F
        const Real vx = a.vx - b.vx, vy = a.vy - b.vy, vz = a.vz - b.vz;
        sums[0] += weight * (vy * dz - vz * dy);
        sums[1] += weight * (vz * dx - vx * dz);
        sums[2] += weight * (vx * dy - vy * dx);
        sums[3] += -(weight * (vx * dx + vy * dy + vz * dz));
        sums[4] += -(weight * (r2 * c.metres));
    }
};

} // namespace SLUICE_ISA

/// Where a field stands among the sums of an operator.
struct SummedField {
    Field field;
    int first; ///< its first component
};

inline constexpr int flow_gradient_sums = FlowGradients<Wendland>::sum_count;
inline constexpr std::array<SummedField, 3> flow_gradient_fields{
    {{Field::vorticity, 0}, {Field::velocity_divergence, 3}, {Field::position_divergence, 4}}};

} // namespace sluice::sph

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/fluids.h"
#include "physics/math.h"
#include "physics/sph/pair_unit.h"

// What the pair formula needs to know of the fluids that two particles are of. With relative densities (model/fluids.h)
// the acceleration is the force over the mass of the constants, the same for both sides. The pressures are in it
// already:
//   viscosity    μ of the pair: the harmonic mean of the two fluids' s ν, or s α h c0, with s = ρ0 of the fluid over ρ0
//   of
//                the constants; with walls that of the fluid
//   diffusion    between particles of one fluid alone, since densities jump between two
//   walls        A boundary particle has no fluid of its own: what its density is above ρ0 counts with the stiffness of
//                the fluid beside it. That of water would be far too stiff for a gas, whose steps it would shorten.
//   cohesion     P_a + P_b − κ between gas and liquid or wall (Colagrossi & Landrini 2003, eq. 14, where the term with
//   ρ²
//                cancels between particles of the gas): it keeps the interface from breaking up

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// Coefficients by the phases of both sides of a pair.
template <class S>
struct PhasePairs {
    S viscous[phases * phases];  ///< 4 s ν over the unit of length, times d + 2 with central viscosity; or 2 s α h c0
    S cohesion[phases * phases]; ///< of a gas with liquid and walls, Pa
    S wall_stiffness[phases];    ///< ρ0 c0² over that of the constants; 1 of walls
    S diffusion[phases];         ///< c0 over that of the constants
    S hydrostatic[phases];       ///< Δρ^H over that with the constants
    S stiffening[2][phases];     ///< as in PairConstants

    PhasePairs(const Constants& metric, const Fluids& fluids, LengthUnit unit) {
        const bool is_artificial = metric.viscosity == ViscosityModel::artificial;
        const bool central = metric.viscosity == ViscosityModel::laminar_central;
        double of_one[phases] = {}, attracted[phases] = {};
        for (std::size_t k = 0; k < phases; ++k) {
            const FluidProperties fluid =
                k > 0 && k <= fluids.size() ? fluids[k - 1] : FluidProperties{metric.rho0, metric.c0, metric.gamma, 0};
            const double s = density_ratio(metric, fluid);
            attracted[k] = fluid.cohesion;
            const Constants own = relative_constants(metric, fluid);
            if (is_artificial)
                of_one[k] = 2 * s * fluid.viscosity * (metric.h / unit.metres) * fluid.c0;
            else if (metric.viscosity != ViscosityModel::apparent) // which has sums of its own
                of_one[k] = 4 * s * fluid.viscosity / unit.metres * (!central ? 1 : metric.two_d ? 4 : 5);
            wall_stiffness[k] = S(own.b * own.gamma / (metric.b * metric.gamma));
            diffusion[k] = S(fluid.c0 / metric.c0);
            hydrostatic[k] = S(s * metric.gamma * metric.b / (own.gamma * own.b));
            const double n = own.gamma - 2;
            stiffening[0][k] = S(-n / (2 * metric.rho0));
            stiffening[1][k] = S(n * (n + 1) / (8 * metric.rho0 * metric.rho0));
        }
        for (std::size_t a = 0; a < phases; ++a)
            for (std::size_t b = 0; b < phases; ++b) {
                const double sum = of_one[a] + of_one[b];
                const bool wall = a == 0 || b == 0, both = attracted[a] > 0 && attracted[b] > 0;
                cohesion[a * phases + b] = S(both ? 0 : attracted[a] + attracted[b]);
                viscous[a * phases + b] = S(wall      ? sum * metric.boundary_viscosity_factor
                                            : sum > 0 ? 2 * of_one[a] * of_one[b] / sum
                                                      : 0);
            }
    }
};

/// Of a table by one phase, or by two. Only the bits of the phase count.
template <class S>
SLUICE_INLINE S phase_entry(const S* table, std::uint32_t phase) {
    return table[phase & phase_bits];
}
template <class S>
SLUICE_INLINE S phase_entry(const S* table, std::uint32_t a, std::uint32_t b) {
    return table[(a & phase_bits) * phases + (b & phase_bits)];
}
/// The value where both phases are the same, else 0.
template <class S>
SLUICE_INLINE S where_same_phase(std::uint32_t a, std::uint32_t b, S value) {
    return ((a ^ b) & phase_bits) == 0 ? value : S(0);
}

} // namespace SLUICE_ISA
} // namespace sluice::sph

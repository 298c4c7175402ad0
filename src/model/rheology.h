// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace sluice {

/// How the viscosity of a fluid follows its rate of strain (physics/sph/apparent_viscosity.h has the formulas).
enum class RheologyLaw : std::uint8_t { herschel_bulkley, bi_viscous, carreau_yasuda };

/// What a generalised Newtonian fluid is made of. Stresses and viscosities are over the density.
struct Rheology {
    RheologyLaw law = RheologyLaw::herschel_bulkley;
    double consistency = 0;    ///< K: of a Newtonian fluid ν, m²/s; of Carreau and Yasuda that at rest
    double exponent = 1;       ///< n: below 1 the fluid thins as it is sheared, above it thickens
    double yield = 0;          ///< yield stress τ_y, m²/s²
    double regularisation = 0; ///< m, s: 1/m is the rate of strain below which the fluid is taken as Newtonian
    double bi_ratio = 0;       ///< bi-viscous: viscosity below the yield stress over that above
    double fast = 0;           ///< Carreau and Yasuda: viscosity of the fastest shear, m²/s
    double relaxation = 0;     ///< λ, s
    double transition = 2;     ///< a

    bool operator==(const Rheology&) const = default;
};

/// Of the fluid groups in their order; none: the fluid has the one viscosity of the constants.
using Rheologies = std::vector<Rheology>;

} // namespace sluice

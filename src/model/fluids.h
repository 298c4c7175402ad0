// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include <algorithm>
#include <cstdint>
#include <vector>

// Several fluids of different density. Backends compute with relative densities: what they call the density of a
// particle is that of the constants, ρ0, times its own density over the reference density of its fluid. A particle of
// the lattice then has the same volume m/ρ in every fluid, with the one mass m of the constants, so that all sums of
// volumes are those of one fluid; what differs is the pressure that a relative density has, and the acceleration that a
// force gives, which is divided by the ratio of the reference densities. States and the arrays of backends have
// relative densities; frames, results and cases have densities.

namespace sluice {

/// What a fluid is made of, besides its rheology (model/rheology.h).
struct FluidProperties {
    double rho0 = 1000;   ///< reference density, kg/m³
    double c0 = 0;        ///< speed of sound at rho0, m/s
    double gamma = 7;     ///< polytropic exponent of Tait's equation
    double viscosity = 0; ///< α of the artificial viscosity or ν of a laminar one, m²/s
    /// Of a gas: by how much liquids attract it (Colagrossi & Landrini 2003), Pa; 0 of liquids.
    double cohesion = 0;
    double tension = 0; ///< of its surface, N/m; between two fluids the mean of theirs

    bool operator==(const FluidProperties&) const = default;
};

/// Of the fluid groups in their order; none: they have what the constants say.
using Fluids = std::vector<FluidProperties>;

/// Whether any fluid has surface tension.
inline bool has_tension(const Fluids& fluids) {
    return std::ranges::any_of(fluids, [](const FluidProperties& fluid) { return fluid.tension > 0; });
}

/// A phase is a number of three bits: 0 is that of walls and bodies, k + 1 that of fluid group k.
inline constexpr std::size_t most_fluids = 7;
inline constexpr std::uint32_t phase_bits = 7;
inline constexpr std::size_t phases = 8;

/// Density over relative density.
inline double density_ratio(const sph::Constants& c, const FluidProperties& fluid) { return fluid.rho0 / c.rho0; }

/// The constants that hold for relative densities of one fluid.
inline sph::Constants relative_constants(sph::Constants c, const FluidProperties& fluid) {
    c.c0 = fluid.c0;
    c.gamma = fluid.gamma;
    c.b = fluid.c0 * fluid.c0 * fluid.rho0 / fluid.gamma;
    (c.viscosity == sph::ViscosityModel::artificial ? c.alpha : c.nu) = fluid.viscosity;
    return c;
}

/// The constants that hold for densities of one fluid.
inline sph::Constants constants_of(sph::Constants c, const FluidProperties& fluid) {
    c = relative_constants(c, fluid);
    c.mass_fluid *= density_ratio(c, fluid);
    c.rho0 = fluid.rho0;
    return c;
}

/// The constants with the greatest speed of sound of all fluids, which limits time steps.
inline sph::Constants fastest_constants(sph::Constants c, const Fluids& fluids) {
    for (const FluidProperties& fluid : fluids) c.c0 = fluid.c0 > c.c0 ? fluid.c0 : c.c0;
    return c;
}

} // namespace sluice

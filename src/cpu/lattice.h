// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include <bit>
#include <cmath>
#include <cstdint>

// Positions as integers. The unit u = 2h/2³⁰ leaves ±4h before the difference of two 32-bit coordinates wraps round:
// more than separates any two particles that the cell list can bring together. One conversion to float then gives a
// separation that is as exact far from the origin as at it.

namespace sluice::cpu {

inline constexpr double lattice_units_per_support = 1073741824.0; // 2³⁰

/// Coordinate (m, from the domain's lower corner) to lattice units, modulo 2³². Adding 1.5·2⁵² leaves the integer in
/// the low bits of the sum.
inline std::uint32_t to_lattice(double coordinate, double units_per_metre) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(coordinate * units_per_metre + 6755399441055744.0));
}

/// The constants of a run with lengths in lattice units, so that separations need not be scaled pair by pair.
/// Velocities, densities and rates keep their units: an acceleration is a factor (per metre) times a separation, and
/// the masses take what makes that factor fit.
inline sph::Constants in_lattice_units(sph::Constants c) {
    const double unit = 2 * c.h / lattice_units_per_support;
    const double mass_scale = std::pow(unit, c.two_d ? -3 : -4);
    c.h /= unit;
    c.dp /= unit;
    c.eta2 /= unit * unit;
    c.gravity = unit * c.gravity;
    c.mass_fluid *= mass_scale;
    c.mass_bound *= mass_scale;
    return c;
}

} // namespace sluice::cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/sph/pair_rates.h"
#include <bit>
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

/// What separations on the lattice count: operators take it into their constants, so that separations need not be
/// scaled pair by pair.
inline sph::LengthUnit lattice_unit(const sph::Constants& c) {
    return sph::LengthUnit(2 * c.h / lattice_units_per_support);
}

} // namespace sluice::cpu

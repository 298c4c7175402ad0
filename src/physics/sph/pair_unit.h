// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// What separations count: metres, or so many metres each. Every operator on pairs takes it where it makes its
/// constants, so that its rates are SI whatever the separations count.
struct LengthUnit {
    double metres;
    constexpr explicit LengthUnit(double size) : metres(size) {}
};
inline constexpr LengthUnit metre(1);

} // namespace SLUICE_ISA
} // namespace sluice::sph

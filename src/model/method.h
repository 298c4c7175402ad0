// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sluice {

/// The particle method that computes a run.
enum class Method : std::uint8_t {
    sph,  ///< smoothed particle hydrodynamics (Gingold & Monaghan 1977)
    mps,  ///< moving particle semi-implicit method (Koshizuka & Oka 1996)
    fvpm, ///< finite volume particle method (Hietel, Steiner & Struckmeier 2000)
};

/// A method by its word in cases and records, and by its name.
struct MethodName {
    Method method;
    const char* word;
    const char* name;
};

/// In the order of `Method`.
inline constexpr MethodName method_names[] = {
    {Method::sph, "sph", "smoothed particle hydrodynamics"},
    {Method::mps, "mps", "moving particle semi-implicit method"},
    {Method::fvpm, "fvpm", "finite volume particle method"},
};

constexpr const MethodName& method_name(Method method) { return method_names[static_cast<int>(method)]; }

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sluice {

/// A set of vector instructions that the interaction is compiled for.
struct SimdLevel {
    std::string name;        ///< "off"; on x86-64 "v2", "v3" or "v4"; on AArch64 "neon"
    std::string description; ///< one line
    bool available = false;  ///< this build has it and this processor can run it
};

/// All levels, from the plainest to the widest.
std::vector<SimdLevel> simd_levels();

} // namespace sluice

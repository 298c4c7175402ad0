// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sluice {

/// Particles that frames do not hold because the case selects others (special/outputparts).
struct LeftOut {
    std::uint32_t boundary = 0, fluid = 0;
    std::uint32_t total() const { return boundary + fluid; }
};

} // namespace sluice

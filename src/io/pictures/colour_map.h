// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sluice {

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
};

/// 0xRRGGBB.
constexpr std::uint32_t packed(const Colour& c) {
    return static_cast<std::uint32_t>(c.red) << 16 | static_cast<std::uint32_t>(c.green) << 8 | c.blue;
}

/// A perceptually uniform map from dark blue over green to yellow, legible in grey and for the colour-blind.
/// `value` runs from 0 to 1 and is clamped; NaN is grey.
Colour map_colour(double value);

} // namespace sluice

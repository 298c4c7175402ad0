// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/colour_map.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace sluice {
namespace {

// Equal steps of lightness in CIELAB (L* from 18 to 92) while the hue turns from blue to yellow, as colourful as the
// sRGB gamut allows without a jump; linear in between.
constexpr Colour stations[] = {
    {0, 34, 122},   {0, 52, 117},  {0, 66, 119},   {0, 79, 123},   {0, 92, 130},  {0, 105, 136},
    {0, 119, 143},  {0, 132, 148}, {0, 146, 152},  {0, 161, 154},  {0, 176, 151}, {0, 191, 140},
    {41, 206, 118}, {93, 218, 89}, {144, 228, 56}, {197, 234, 21}, {248, 237, 0},
};
constexpr int last = static_cast<int>(std::size(stations)) - 1;

std::uint8_t between(std::uint8_t a, std::uint8_t b, double part) {
    return static_cast<std::uint8_t>(std::lround(a + part * (b - a)));
}

} // namespace

Colour map_colour(double value) {
    if (std::isnan(value)) return {128, 128, 128};
    const double place = std::clamp(value, 0.0, 1.0) * last;
    const int below = std::min(static_cast<int>(place), last - 1);
    const Colour &a = stations[below], &b = stations[below + 1];
    const double part = place - below;
    return {between(a.red, b.red, part), between(a.green, b.green, part), between(a.blue, b.blue, part)};
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include "core/vec.h"
#include <cstdint>

namespace sluice {

/// The cube in which Morton keys are counted.
struct MortonBox {
    Vec3d low;
    double side = 0; ///< m
};

/// Levels of a tree over Morton keys: bits of a key per axis.
inline constexpr int morton_levels = 21;

/// The low 21 bits of `n`, two zeros between each.
SLUICE_INLINE std::uint64_t spread_bits(std::uint64_t n) {
    n &= 0x1fffff;
    n = (n | n << 32) & 0x1f00000000ffff;
    n = (n | n << 16) & 0x1f0000ff0000ff;
    n = (n | n << 8) & 0x100f00f00f00f00f;
    n = (n | n << 4) & 0x10c30c30c30c30c3;
    return (n | n << 2) & 0x1249249249249249;
}

/// The place of a point along Morton's curve through the cube (Morton 1966).
SLUICE_INLINE std::uint64_t morton_key(Vec3d x, const MortonBox& box) {
    constexpr double cells = std::uint64_t(1) << morton_levels;
    const double scale = box.side > 0 ? (cells - 1) / box.side : 0;
    const Vec3d place = scale * (x - box.low);
    return spread_bits(std::uint64_t(place.x)) | spread_bits(std::uint64_t(place.y)) << 1 |
           spread_bits(std::uint64_t(place.z)) << 2;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/fixed_grid.h"
#include <cstdint>

// The keys that particles are sorted by: their cell, and on request where they are in it along a curve.

namespace sluice::cuda {

/// Bits that tell cells 0 … `largest` apart.
inline int key_bits(std::uint32_t largest) {
    int bits = 1;
    while (bits < 32 && (largest >> bits) != 0) ++bits;
    return bits;
}

/// Bits of a position along the curve inside its cell: quarters of the side, where the keys have room for them.
inline int curve_bits(std::uint32_t excluded_cell) { return key_bits(excluded_cell) + 6 <= 32 ? 6 : 0; }

/// Place of a quarter-cell along a Hilbert curve of 4×4×4 (Skilling 2004, two bits an axis).
__device__ inline std::uint32_t curve_index(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    std::uint32_t axis[3] = {x, y, z};
    for (int k = 0; k < 3; ++k) { // undo the excess work of the upper bit
        if (axis[k] & 2)
            axis[0] ^= 1;
        else {
            const std::uint32_t t = (axis[0] ^ axis[k]) & 1;
            axis[0] ^= t;
            axis[k] ^= t;
        }
    }
    axis[1] ^= axis[0];
    axis[2] ^= axis[1];
    const std::uint32_t t = axis[2] & 2 ? 1 : 0;
    for (std::uint32_t& a : axis) a ^= t;
    return (axis[0] & 2) << 4 | (axis[1] & 2) << 3 | (axis[2] & 2) << 2 | (axis[0] & 1) << 2 | (axis[1] & 1) << 1 |
           (axis[2] & 1);
}

/// The key of a particle near cell `former`.
__device__ inline std::uint32_t sort_key(const FixedGrid& grid, const Position& position, std::uint32_t former,
                                         int fine_bits) {
    const Units64 u = unwrap(grid, position, former);
    const std::uint32_t cell = cell_of(grid, u) << fine_bits;
    const int quarter = grid.cell_bits - 2;
    return fine_bits ? cell | curve_index(u.x >> quarter & 3, u.y >> quarter & 3, u.z >> quarter & 3) : cell;
}

} // namespace sluice::cuda

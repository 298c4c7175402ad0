// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include <cstdint>

namespace sluice::cpu {
inline namespace SLUICE_ISA {

/// For each pattern of eight bits the positions of the ones, times four, from the lowest on.
struct CompressTable {
    alignas(64) std::uint8_t fourfold[256][8] = {};

    constexpr CompressTable() {
        for (int pattern = 0; pattern < 256; ++pattern) {
            int count = 0;
            for (int bit = 0; bit < 8; ++bit)
                if (pattern >> bit & 1) fourfold[pattern][count++] = static_cast<std::uint8_t>(4 * bit);
        }
    }
};

inline constexpr CompressTable compress_table8;

} // namespace SLUICE_ISA
} // namespace sluice::cpu

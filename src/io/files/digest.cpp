// SPDX-License-Identifier: Apache-2.0
#include "io/files/digest.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sluice {
namespace {

// Odd, so that multiplying is a bijection; half of the bits set, so that they spread.
constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15u;
constexpr std::size_t lanes = 4, block = lanes * sizeof(std::uint64_t);

void take(std::uint64_t& lane, std::uint64_t word) { lane = std::rotl((lane ^ word) * multiplier, 29); }

std::uint64_t load(const std::byte* bytes, std::size_t count) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, count);
    return word;
}

} // namespace

std::uint64_t digest(std::span<const std::byte> bytes) {
    std::uint64_t lane[lanes] = {1, 2, 3, 4};
    std::size_t at = 0;
    for (; at + block <= bytes.size(); at += block)
        for (std::size_t k = 0; k < lanes; ++k) take(lane[k], load(bytes.data() + at + 8 * k, 8));
    for (std::size_t k = 0; at < bytes.size(); at += 8, ++k)
        take(lane[k % lanes], load(bytes.data() + at, std::min<std::size_t>(8, bytes.size() - at)));
    std::uint64_t result = bytes.size();
    for (const std::uint64_t value : lane) take(result, value);
    result ^= result >> 32;
    return result * multiplier;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace sluice {

/// What the HDF5 filters shuffle and deflate make of a chunk of numbers that take `width` bytes each: first the first
/// bytes of all numbers, then the second ones, …, as a zlib stream. `level` is 1 (fast) to 9 (small). The same numbers
/// give the same bytes. Any thread may call it.
std::vector<std::byte> shuffle_and_deflate(std::span<const std::byte> numbers, std::size_t width, int level);

} // namespace sluice

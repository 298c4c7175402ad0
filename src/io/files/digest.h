// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace sluice {

/// A 64-bit digest that notices damage (not malice): the input is cut into words that four lanes take in turn, each
/// step a bijection of the lane's state, so that a change within any single word always shows.
std::uint64_t digest(std::span<const std::byte> bytes);

} // namespace sluice

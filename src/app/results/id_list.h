// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// Ids of particles as users write them, "12,40-80,7", ascending and each once. Throws InputError, which begins with
/// `what`, for anything else and for more than ten million.
std::vector<std::uint32_t> parse_ids(const std::string& text, const std::string& what);

} // namespace sluice

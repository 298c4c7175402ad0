// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// " (did you mean X?)" for the word of `known` that is nearest to a mistyped one (Levenshtein distance, without regard
/// to case), or "" if none is near: every third letter may be wrong, and two of a short word. A word of four letters or
/// more that the mistyped one begins with is near, too: Visco of Viscosity.
std::string suggest_nearest(std::string_view mistyped, const std::vector<std::string>& known);

} // namespace sluice

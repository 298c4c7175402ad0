// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string_view>

namespace sluice {

/// The line of an element with more attributes than any has: the XML library compares each with all before it, which
/// takes minutes where a stranger has written a hundred thousand.
std::optional<int> line_of_too_many_attributes(std::string_view text);

} // namespace sluice

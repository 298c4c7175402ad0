// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cctype>
#include <string>

namespace sluice {

/// A name as GoogleTest takes it: whatever is neither letter nor digit becomes an underscore.
inline std::string as_test_name(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace sluice {

/// Text without the blanks and line ends around it.
inline std::string_view trim(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Text without the mark (EF BB BF) that some editors begin UTF-8 files with.
inline std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (text.starts_with(mark)) text.remove_prefix(mark.size());
    return text;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_word.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace sluice {

namespace {

std::string lower(std::string_view text) {
    std::string low(text);
    for (char& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return low;
}

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t keep = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = std::exchange(row[j], std::min({keep, row[j] + 1, row[j - 1] + 1}));
        }
    }
    return row.back();
}

} // namespace

std::string suggest_nearest(std::string_view mistyped, const std::vector<std::string>& known) {
    constexpr std::size_t longest = 64; // of a word; what is longer is no typing error
    if (mistyped.size() > longest) return "";
    const std::string wanted = lower(mistyped);
    const std::string* best = nullptr;
    std::size_t least = std::max<std::size_t>(2, mistyped.size() / 3) + 1;
    constexpr std::size_t shortest_begin = 4;
    for (const std::string& word : known) {
        std::size_t d = distance(wanted, lower(word));
        if (word.size() >= shortest_begin && wanted.starts_with(lower(word))) d = std::min<std::size_t>(d, 1);
        if (d >= least) continue;
        least = d;
        best = &word;
    }
    return best ? fmt::format(" (did you mean {}?)", *best) : "";
}

} // namespace sluice

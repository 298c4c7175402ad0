// SPDX-License-Identifier: Apache-2.0
#include "app/results/id_list.h"

#include "core/error.h"
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string_view>

namespace sluice {
namespace {

std::optional<std::uint32_t> id_in(std::string_view text) {
    std::uint32_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return id;
}

} // namespace

std::vector<std::uint32_t> parse_ids(const std::string& text, const std::string& what) {
    constexpr std::size_t most = 10'000'000;
    std::vector<std::uint32_t> ids;
    std::string_view rest = text;
    for (bool more = true; more;) {
        const std::size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        more = comma != std::string_view::npos;
        if (more) rest.remove_prefix(comma + 1);
        const std::size_t dash = part.find('-');
        const auto first = id_in(part.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : id_in(part.substr(dash + 1));
        if (!first || !last || *last < *first)
            throw InputError(fmt::format("{}: ids of particles are wanted, as 12,40-80 ({} is given)", what, part));
        if (ids.size() + (*last - *first) >= most)
            throw InputError(fmt::format("{}: more than {} particles are given; give fewer", what, most));
        for (std::uint64_t id = *first; id <= *last; ++id) ids.push_back(static_cast<std::uint32_t>(id));
    }
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "cpu/subdomains/split.h"

#include "core/error.h"
#include "core/input_file.h"
#include "core/table_rows.h"
#include "core/text.h"
#include "cpu/particles/limits.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace sluice::cpu {

namespace {

/// A whole text as a number from `least` to `most`.
std::optional<int> whole_number(std::string_view text, int least, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) return std::nullopt;
    return value;
}

std::optional<int> axis_named(std::string_view name) {
    constexpr std::string_view names = "xyz";
    if (name.size() != 1 || names.find(name[0]) == std::string_view::npos) return std::nullopt;
    return static_cast<int>(names.find(name[0]));
}

std::array<int, 2> parse_grid(const std::string& text) {
    const std::size_t times = text.find('x');
    if (times != std::string::npos) {
        const auto a = whole_number(text.substr(0, times), 1, most_ranks),
                   b = whole_number(text.substr(times + 1), 1, most_ranks);
        if (a && b) return {*a, *b};
    }
    throw InputError(fmt::format("--split: grid:AxB is wanted, parts across the longest side and across the other one, "
                                 "1 to {} ({} is given), e.g. grid:4x2",
                                 most_ranks, "grid:" + text));
}

/// The words of a line, up to a #.
std::vector<std::string_view> words_of(std::string_view line, const std::string& where) {
    try {
        return table_cells(line);
    } catch (const InputError& e) {
        throw InputError(fmt::format("{}: {}", where, e.what()));
    }
}

std::array<int, 2> axes_of(const std::vector<std::string_view>& words, const std::string& where) {
    if (words.size() == 2) {
        const auto along = axis_named(words[0]), up = axis_named(words[1]);
        if (along && up && *along != *up) return {*along, *up};
    }
    throw InputError(
        fmt::format("{}: the names of two axes are wanted, e.g. \"x z\", before the lines of ranks", where));
}

} // namespace

RankTable read_rank_table(const std::filesystem::path& path) {
    std::ifstream file = open_input(path);
    if (!file) throw InputError(fmt::format("--split file:{}: cannot be read", path.string()));
    RankTable table;
    bool has_axes = false;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        const std::string where = fmt::format("{}:{}", path.string(), ++number);
        const std::vector<std::string_view> words = words_of(number == 1 ? without_byte_order_mark(line) : line, where);
        if (words.empty()) continue;
        if (!has_axes) {
            table.axes = axes_of(words, where);
            has_axes = true;
            continue;
        }
        if (table.columns == 0) table.columns = static_cast<std::uint32_t>(words.size());
        if (words.size() != table.columns)
            throw InputError(fmt::format("{}: {} ranks, and the lines before have {}: make all lines as long", where,
                                         words.size(), table.columns));
        std::vector<RankNumber> ranks;
        for (const std::string_view word : words) {
            const auto rank = whole_number(word, 0, most_ranks - 1);
            if (!rank)
                throw InputError(fmt::format("{}: the number of a rank is wanted, 0 to {} ({} is given)", where,
                                             most_ranks - 1, word));
            ranks.push_back(static_cast<RankNumber>(*rank));
        }
        table.ranks.insert(table.ranks.begin(), ranks.begin(), ranks.end()); // from the top down
    }
    if (table.columns == 0)
        throw InputError(fmt::format("{}: has no ranks; a line with two axes is wanted, e.g. \"x z\", and below it "
                                     "lines of the numbers of ranks",
                                     path.string()));
    return table;
}

Split parse_split(const std::string& text) {
    constexpr std::string_view grid = "grid:", file = "file:";
    Split split;
    split.text = text;
    if (text == "auto") return split;
    if (const auto axis = axis_named(text)) {
        split.kind = Split::Kind::slabs;
        split.axis = *axis;
    } else if (text == "bisection") {
        split.kind = Split::Kind::bisection;
    } else if (text.starts_with(grid)) {
        split.kind = Split::Kind::grid;
        split.parts = parse_grid(text.substr(grid.size()));
    } else if (text.starts_with(file)) {
        split.kind = Split::Kind::table;
        split.table = read_rank_table(text.substr(file.size()));
    } else {
        throw InputError(fmt::format("--split: there is no '{}': take one of auto, x, y, z, bisection, grid:AxB, "
                                     "file:PATH",
                                     text));
    }
    return split;
}

} // namespace sluice::cpu

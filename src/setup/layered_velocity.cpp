// SPDX-License-Identifier: Apache-2.0
#include "setup/layered_velocity.h"

#include "case/expression.h"
#include "setup/number_rows.h"
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace sluice {

namespace {

double between(double a, double va, double b, double vb, double at) { return va + (at - a) / (b - a) * (vb - va); }

/// The X and Y of `px:;X;py:;Y`.
void read_place(const std::filesystem::path& file, const std::string& line, LayeredVelocity& made) {
    std::vector<std::string> words(1);
    for (const char c : line)
        if (c == ';' || c == ',' || c == ' ' || c == '\t')
            words.emplace_back();
        else
            words.back() += c;
    std::erase(words, "");
    try {
        if (words.size() != 4 || words[0] != "px:" || words[2] != "py:") throw InputError("it has others");
        made.x = parse_number(words[1]);
        made.y = parse_number(words[3]);
    } catch (const InputError&) {
        throw InputError({file.string(), 1},
                         fmt::format("\"{}\": the first line of velocities by layers is px:;X;py:;Y", line));
    }
}

LayeredVelocity::Row sorted_row(const NumberRow& from) {
    const std::size_t n = from.values.size() / 2;
    if (from.values.size() != 2 * n + 1 || n == 0)
        throw InputError(from.where, fmt::format("the row has {} numbers: a time, heights, and as many velocities",
                                                 from.values.size()));
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{1});
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return from.values[k]; });
    LayeredVelocity::Row row{from.values[0], {}, {}};
    for (const std::size_t k : order) {
        if (!row.z.empty() && from.values[k] == row.z.back()) continue; // where it runs dry layers lie on one another
        row.z.push_back(from.values[k]);
        row.speed.push_back(from.values[n + k]);
    }
    return row;
}

} // namespace

double LayeredVelocity::Row::at(double height) const {
    const auto above = std::ranges::upper_bound(z, height);
    if (above == z.begin()) return speed.front();
    if (above == z.end()) return speed.back();
    const auto k = static_cast<std::size_t>(above - z.begin());
    return between(z[k - 1], speed[k - 1], z[k], speed[k], height);
}

double LayeredVelocity::Row::flow_above(double bottom) const {
    double sum = 0, low = bottom, speed_low = at(bottom);
    for (std::size_t k = 0; k < z.size(); ++k) {
        if (z[k] <= bottom) continue;
        sum += 0.5 * (z[k] - low) * (speed_low + speed[k]);
        low = z[k];
        speed_low = speed[k];
    }
    return sum;
}

double LayeredVelocity::at(double time, double height) const {
    if (time > rows.back().time) return 0;
    const auto after = std::ranges::upper_bound(rows, time, {}, &Row::time);
    if (after == rows.begin()) return rows.front().at(height);
    if (after == rows.end()) return rows.back().at(height);
    const Row& before = *std::prev(after);
    return between(before.time, before.at(height), after->time, after->at(height), time);
}

LayeredVelocity read_layered_velocity(const std::filesystem::path& file, const SourceLocation& where) {
    LayeredVelocity made;
    const std::vector<std::string> titles = first_lines(file, where, 2);
    read_place(file, titles[0], made);
    if (!titles[1].starts_with("time"))
        throw InputError({file.string(), 2},
                         "the second line of velocities by layers has titles, the first of them time");
    for (const NumberRow& row : read_number_rows(file, where, {.least = 3, .most = RowForm::any, .titles = 2})) {
        if (!made.rows.empty() && !(row.values[0] > made.rows.back().time))
            throw InputError(row.where, fmt::format("the time {} does not come after that of the row before ({})",
                                                    row.values[0], made.rows.back().time));
        made.rows.push_back(sorted_row(row));
    }
    if (made.rows.empty()) throw InputError(where, fmt::format("the file {} has no velocities", file.string()));
    return made;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "cpu/subdomains/row_split.h"

#include "core/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace sluice::cpu {

namespace {

constexpr const char* axis_names = "xyz";

std::uint64_t sum(const std::vector<std::uint64_t>& work) {
    return std::accumulate(work.begin(), work.end(), std::uint64_t(0));
}

/// Where to cut so that the part before has this much of the work: a place goes where most of it belongs.
std::uint32_t cut_at(const std::vector<std::uint64_t>& work, std::uint64_t wanted, std::uint32_t from,
                     std::uint64_t before) {
    while (from < work.size() && before + work[from] / 2 < wanted) before += work[from++];
    return from;
}

} // namespace

std::vector<std::uint32_t> cut_evenly(const std::vector<std::uint64_t>& work, int parts) {
    const auto all = static_cast<double>(sum(work));
    std::vector<std::uint32_t> begin{0};
    std::uint64_t done = 0;
    for (int part = 1; part < parts; ++part) {
        const std::uint32_t at = cut_at(work, static_cast<std::uint64_t>(all * part / parts), begin.back(), done);
        done = std::accumulate(work.begin() + begin.back(), work.begin() + at, done);
        begin.push_back(at);
    }
    begin.push_back(static_cast<std::uint32_t>(work.size()));
    return begin;
}

RowSplit::RowSplit(const Split& split, const Space& space, int ranks)
    : kind_(ranks == 1 ? Split::Kind::automatic : split.kind), parts_(split.parts), table_(split.table),
      name_(split.text), ranks_(ranks), rows_(space.whole_rows()), count_y_(rows_.inner_end[1] - rows_.inner_begin[1]),
      count_z_(rows_.inner_end[2] - rows_.inner_begin[2]), axes_(space.axes) {
    const auto refuse = [&](const std::string& why) { throw InputError(fmt::format("--split {}: {}", name_, why)); };
    const auto rows_run =
        fmt::format("in this case rows of cells, which ranks have whole, run along {}", axis_names[axes_[0]]);
    switch (kind_) {
    case Split::Kind::automatic: choose(ranks); break;
    case Split::Kind::slabs:
        if (split.axis == axes_[0])
            refuse(fmt::format("{}: take {} or {}", rows_run, axis_names[axes_[2]], axis_names[axes_[1]]));
        across_ = split.axis == axes_[1] ? Across::y : Across::z;
        break;
    case Split::Kind::grid:
        if (parts_[0] * parts_[1] != ranks)
            refuse(fmt::format("these are {} parts, and the run has {} ranks: give as many of the one as of the other",
                               parts_[0] * parts_[1], ranks));
        break;
    case Split::Kind::bisection: break;
    case Split::Kind::table:
        if (std::ranges::find(table_.axes, axes_[0]) != table_.axes.end())
            refuse(fmt::format("the ranks are drawn over {} and {}, and {}: draw them over {} and {}",
                               axis_names[table_.axes[0]], axis_names[table_.axes[1]], rows_run, axis_names[axes_[2]],
                               axis_names[axes_[1]]));
        if (const RankNumber last = *std::ranges::max_element(table_.ranks); last >= ranks)
            refuse(fmt::format("rank {} is drawn, and the run has ranks 0 to {}: start {} ranks", last, ranks - 1,
                               last + 1));
        break;
    }
}

/// Slabs, which balance best and have two neighbours, as long as they are thicker than what they see of those.
void RowSplit::choose(int ranks) {
    const int thickness = std::max(1, count_z_ / ranks);
    kind_ = thickness < 2 * rows_.reach && count_y_ > 2 * thickness ? Split::Kind::bisection : Split::Kind::slabs;
}

std::string RowSplit::description() const {
    const char across[] = {axis_names[axes_[2]], axis_names[axes_[1]]};
    switch (kind_) {
    case Split::Kind::grid:
        return fmt::format("{} x {} parts across {} and {}", parts_[0], parts_[1], across[0], across[1]);
    case Split::Kind::bisection: return fmt::format("bisection across {} and {}", across[0], across[1]);
    case Split::Kind::table: return name_;
    default: return fmt::format("slabs across {}", across[across_ == Across::y]);
    }
}

std::vector<std::uint64_t> RowSplit::without_images(const std::vector<std::uint64_t>& work) const {
    std::vector<std::uint64_t> inner;
    inner.reserve(static_cast<std::size_t>(count_y_) * static_cast<std::size_t>(count_z_));
    for (int z = rows_.inner_begin[2]; z < rows_.inner_end[2]; ++z)
        for (int y = rows_.inner_begin[1]; y < rows_.inner_end[1]; ++y)
            inner.push_back(work[static_cast<std::size_t>(z) * static_cast<std::size_t>(rows_.count_y) +
                                 static_cast<std::size_t>(y)]);
    return inner;
}

std::vector<RankNumber> RowSplit::owners(const std::vector<std::uint64_t>& work) const {
    const std::vector<std::uint64_t> inner = without_images(work);
    std::vector<RankNumber> owners(inner.size());
    switch (kind_) {
    case Split::Kind::grid: cut_grid(inner, owners); break;
    case Split::Kind::bisection: bisect({0, count_y_, 0, count_z_}, 0, ranks_, inner, owners); break;
    case Split::Kind::table: draw(owners); break;
    default: cut_slabs(inner, owners); break;
    }
    return owners;
}

std::uint64_t RowSplit::greatest_share(const std::vector<std::uint64_t>& work,
                                       const std::vector<RankNumber>& owners) const {
    const std::vector<std::uint64_t> inner = without_images(work);
    std::vector<std::uint64_t> shares(static_cast<std::size_t>(ranks_));
    for (std::size_t row = 0; row < inner.size(); ++row) shares[owners[row]] += inner[row];
    return *std::ranges::max_element(shares);
}

/// Cuts between any two rows, not only between layers.
void RowSplit::cut_slabs(const std::vector<std::uint64_t>& work, std::vector<RankNumber>& owners) const {
    std::vector<std::size_t> order(work.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    if (across_ == Across::y)
        for (std::size_t k = 0; k < order.size(); ++k)
            order[k] = place(static_cast<int>(k) / count_z_, static_cast<int>(k) % count_z_);
    std::vector<std::uint64_t> ordered;
    ordered.reserve(work.size());
    for (const std::size_t row : order) ordered.push_back(work[row]);
    const std::vector<std::uint32_t> begin = cut_evenly(ordered, ranks_);
    for (int rank = 0; rank < ranks_; ++rank)
        for (std::uint32_t k = begin[static_cast<std::size_t>(rank)]; k < begin[static_cast<std::size_t>(rank) + 1];
             ++k)
            owners[order[k]] = static_cast<RankNumber>(rank);
}

/// The work of each layer of a block, or of each of its rows' places in all layers.
std::vector<std::uint64_t> RowSplit::work_across(const Block& block, Across across,
                                                 const std::vector<std::uint64_t>& work) const {
    const bool layers = across == Across::z;
    std::vector<std::uint64_t> sums(
        static_cast<std::size_t>(layers ? block.z_end - block.z_begin : block.y_end - block.y_begin));
    for (int z = block.z_begin; z < block.z_end; ++z)
        for (int y = block.y_begin; y < block.y_end; ++y)
            sums[static_cast<std::size_t>(layers ? z - block.z_begin : y - block.y_begin)] += work[place(y, z)];
    return sums;
}

void RowSplit::give(const Block& block, int rank, std::vector<RankNumber>& owners) const {
    for (int z = block.z_begin; z < block.z_end; ++z)
        for (int y = block.y_begin; y < block.y_end; ++y) owners[place(y, z)] = static_cast<RankNumber>(rank);
}

void RowSplit::cut_grid(const std::vector<std::uint64_t>& work, std::vector<RankNumber>& owners) const {
    const std::vector<std::uint32_t> layers =
        cut_evenly(work_across({0, count_y_, 0, count_z_}, Across::z, work), parts_[0]);
    for (std::size_t a = 0; a + 1 < layers.size(); ++a) {
        Block block{0, count_y_, static_cast<int>(layers[a]), static_cast<int>(layers[a + 1])};
        const std::vector<std::uint32_t> rows = cut_evenly(work_across(block, Across::y, work), parts_[1]);
        for (std::size_t b = 0; b + 1 < rows.size(); ++b) {
            block.y_begin = static_cast<int>(rows[b]);
            block.y_end = static_cast<int>(rows[b + 1]);
            give(block, static_cast<int>(a) * parts_[1] + static_cast<int>(b), owners);
        }
    }
}

void RowSplit::bisect(const Block& block, int first, int ranks, const std::vector<std::uint64_t>& work,
                      std::vector<RankNumber>& owners) const {
    if (ranks == 1) {
        give(block, first, owners);
        return;
    }
    const bool layers = block.z_end - block.z_begin >= block.y_end - block.y_begin;
    const std::vector<std::uint64_t> sums = work_across(block, layers ? Across::z : Across::y, work);
    const int before = ranks / 2;
    const auto wanted = static_cast<std::uint64_t>(double(sum(sums)) * before / ranks);
    const int at = static_cast<int>(cut_at(sums, wanted, 0, 0));
    Block low = block, high = block;
    (layers ? low.z_end : low.y_end) = (layers ? high.z_begin : high.y_begin) =
        (layers ? block.z_begin : block.y_begin) + at;
    bisect(low, first, before, work, owners);
    bisect(high, first + before, ranks - before, work, owners);
}

/// A row has the rank of the field that its middle is in.
void RowSplit::draw(std::vector<RankNumber>& owners) const {
    const bool lines_go_on = table_.axes[0] == axes_[1]; // along a line from row to row, else from layer to layer
    const auto field = [](int row, int rows, std::uint32_t fields) {
        return static_cast<std::size_t>((2 * static_cast<std::uint64_t>(row) + 1) * fields /
                                        (2 * static_cast<std::uint64_t>(rows)));
    };
    for (int z = 0; z < count_z_; ++z)
        for (int y = 0; y < count_y_; ++y) {
            const std::size_t column =
                                  lines_go_on ? field(y, count_y_, table_.columns) : field(z, count_z_, table_.columns),
                              line =
                                  lines_go_on ? field(z, count_z_, table_.lines()) : field(y, count_y_, table_.lines());
            owners[place(y, z)] = table_.ranks[line * table_.columns + column];
        }
}

} // namespace sluice::cpu

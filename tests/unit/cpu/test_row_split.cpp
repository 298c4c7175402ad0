// SPDX-License-Identifier: Apache-2.0
#include "backends/particle_clouds.h"
#include "core/error.h"
#include "cpu/subdomains/row_split.h"
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace sluice;
using namespace sluice::cpu;

namespace {

/// A box of so many cells along x, y, z: rows run along y in a long one, in layers along x.
Space space_of(Vec3d cells, const char* periodic = "") {
    RunSetup setup;
    setup.constants = clouds::make_constants({}, 0.01);
    for (int axis = 0; axis < 3; ++axis) {
        const bool is_periodic = std::string(periodic).find("xyz"[axis]) != std::string::npos;
        setup.domain.max[axis] = setup.constants.h * (cells[axis] + (is_periodic ? 0.001 : -0.001));
        setup.period.periodic[axis] = is_periodic;
        if (is_periodic) setup.period.shift[axis][axis] = setup.domain.max[axis];
    }
    return {setup, 2, longest_axis(setup.domain.max)};
}

std::vector<std::uint64_t> even_work(const Space& space) { return std::vector<std::uint64_t>(space.row_count(), 1); }

std::vector<int> rows_of_ranks(const std::vector<RankNumber>& owners, int ranks) {
    std::vector<int> rows(static_cast<std::size_t>(ranks));
    for (const RankNumber rank : owners) ++rows[rank];
    return rows;
}

std::string refusal(const Split& split, const Space& space, int ranks) {
    try {
        RowSplit(split, space, ranks);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

Split table(std::array<int, 2> axes, std::uint32_t columns, std::vector<RankNumber> ranks) {
    Split split;
    split.kind = Split::Kind::table;
    split.table = {axes, columns, std::move(ranks)};
    split.text = "file:map.txt";
    return split;
}

} // namespace

TEST(RowSplit, WorkIsSharedEvenlyInWholeRows) {
    EXPECT_EQ(cut_evenly({1, 1, 1, 1, 1, 1}, 3), (std::vector<std::uint32_t>{0, 2, 4, 6}));
    EXPECT_EQ(cut_evenly({9, 1, 1, 1, 3, 3}, 2), (std::vector<std::uint32_t>{0, 1, 6}));
    EXPECT_EQ(cut_evenly({0, 0, 8, 0}, 3).size(), 4u);
    EXPECT_EQ(cut_evenly({1, 1}, 5).back(), 2u);
    std::mt19937 random(7);
    std::vector<std::uint64_t> work(300);
    for (auto& w : work) w = random() % 100;
    const std::uint64_t all = std::accumulate(work.begin(), work.end(), std::uint64_t(0));
    for (int parts = 1; parts < 20; ++parts) {
        const std::vector<std::uint32_t> begin = cut_evenly(work, parts);
        for (std::size_t k = 0; k + 1 < begin.size(); ++k)
            EXPECT_LE(std::accumulate(work.begin() + begin[k], work.begin() + begin[k + 1], std::uint64_t(0)),
                      all / std::uint64_t(parts) + 100);
    }
}

TEST(RowSplit, EveryWayOfBlocksBalancesWork) {
    const Space space = space_of({40, 30, 20}, "yz");
    ASSERT_EQ(space.axes, (std::array<int, 3>{1, 2, 0}));
    std::mt19937 random(3);
    std::vector<std::uint64_t> work = even_work(space);
    for (auto& w : work) w = 50 + random() % 100;
    for (const char* text : {"x", "z", "grid:3x2", "grid:2x3", "bisection", "auto"}) {
        const RowSplit split(parse_split(text), space, 6);
        EXPECT_TRUE(split.follows_work());
        const std::vector<RankNumber> owners = split.owners(work);
        ASSERT_EQ(owners.size(), 40u * 20u) << text;
        const std::vector<int> rows = rows_of_ranks(owners, 6);
        for (const int count : rows) EXPECT_NEAR(count, 800 / 6, 30) << text;
        std::uint64_t all = 0;
        for (std::size_t layer = 0; layer < 40; ++layer) // the rows of images beside them do not count
            for (std::size_t row = 0; row < 20; ++row) all += work[layer * 24 + 2 + row];
        EXPECT_GE(double(split.greatest_share(work, owners)), double(all) / 6) << text;
        EXPECT_LT(double(split.greatest_share(work, owners)), 1.15 * double(all) / 6) << text;
    }
}

TEST(RowSplit, CutsGoAcrossTheAxisThatIsNamed) {
    const Space space = space_of({40, 30, 20});
    const auto owners = [&](const char* text, int ranks) {
        return RowSplit(parse_split(text), space, ranks).owners(even_work(space));
    };
    const std::vector<RankNumber> x = owners("x", 4), z = owners("z", 4), grid = owners("grid:4x2", 8),
                                  halves = owners("bisection", 8);
    for (std::size_t layer = 0; layer < 40; ++layer)
        for (std::size_t row = 0; row < 20; ++row) {
            EXPECT_EQ(x[layer * 20 + row], layer / 10);
            EXPECT_EQ(z[layer * 20 + row], row / 5);
            EXPECT_EQ(grid[layer * 20 + row], 2 * (layer / 10) + row / 10);
            EXPECT_EQ(halves[layer * 20 + row], 4 * (layer / 20) + 2 * (layer / 10 % 2) + row / 10);
        }
    EXPECT_EQ(RowSplit(parse_split("x"), space, 4).description(), "slabs across x");
    EXPECT_EQ(RowSplit(parse_split("z"), space, 4).description(), "slabs across z");
    EXPECT_EQ(RowSplit(parse_split("grid:4x2"), space, 8).description(), "4 x 2 parts across x and z");
    EXPECT_EQ(RowSplit(parse_split("bisection"), space, 8).description(), "bisection across x and z");
}

TEST(RowSplit, ParallelCutsHaveOneBurstOfRowsForEachNeighbour) {
    const Space space = space_of({40, 30, 20});
    std::mt19937 random(9);
    for (int ranks = 2; ranks <= 10; ++ranks) {
        std::vector<std::uint64_t> work = even_work(space);
        for (auto& w : work) w = random() % 100;
        const RowSplit split({}, space, ranks);
        const RankMap map = split.map(split.owners(work));
        for (int from = 0; from < ranks; ++from)
            for (int to = 0; to < ranks; ++to) {
                int bursts = 0;
                bool before = false;
                for (std::uint32_t row = 0; row < space.row_count(); ++row) {
                    const bool goes = map.owner(row) == from && map.sees(to, row);
                    bursts += goes && !before;
                    before = goes;
                }
                EXPECT_EQ(bursts, std::abs(from - to) <= 1) << "of " << ranks << " ranks from " << from << " to " << to;
            }
    }
}

TEST(RowSplit, ByItselfTakesSlabsUntilTheyAreThinnerThanWhatTheySee) {
    const Space box = space_of({40, 30, 20}), channel = space_of({40, 30, 1});
    const auto chosen = [](const Space& space, int ranks) { return RowSplit({}, space, ranks).description(); };
    EXPECT_EQ(chosen(box, 2), "slabs across x");
    EXPECT_EQ(chosen(box, 10), "slabs across x");
    EXPECT_EQ(chosen(box, 11), "bisection across x and z");
    EXPECT_EQ(chosen(channel, 11), "slabs across x");
    EXPECT_EQ(chosen(channel, 200), "slabs across x");
}

TEST(RowSplit, OfATableHasTheRankAtTheMiddleOfEachRow) {
    const Space space = space_of({40, 30, 20}, "y");
    const std::vector<RankNumber> drawn{2, 2, 0, 1}; // two columns, the lower line first
    const RowSplit across(table({0, 2}, 2, drawn), space, 3), turned(table({2, 0}, 2, drawn), space, 3);
    EXPECT_FALSE(across.follows_work());
    EXPECT_EQ(across.description(), "file:map.txt");
    const std::vector<RankNumber> a = across.owners(even_work(space)), b = turned.owners(even_work(space));
    for (std::size_t layer = 0; layer < 40; ++layer)
        for (std::size_t row = 0; row < 20; ++row) {
            EXPECT_EQ(a[layer * 20 + row], drawn[row / 10 * 2 + layer / 20]);
            EXPECT_EQ(b[layer * 20 + row], drawn[layer / 20 * 2 + row / 10]);
        }
    // of three fields over twenty rows those between have the one that their middle is in
    const RowSplit thirds(table({2, 0}, 3, {0, 1, 2}), space, 3);
    const std::vector<int> rows = rows_of_ranks(thirds.owners(even_work(space)), 3);
    EXPECT_EQ(rows, (std::vector<int>{7 * 40, 6 * 40, 7 * 40}));
}

TEST(RowSplit, WithFewerRowsThanRanksLeavesSomeWithNone) {
    const Space space = space_of({5, 3, 1});
    for (const char* text : {"auto", "x", "z", "bisection", "grid:12x1", "grid:3x4"}) {
        const std::vector<int> rows =
            rows_of_ranks(RowSplit(parse_split(text), space, 12).owners(even_work(space)), 12);
        EXPECT_EQ(std::accumulate(rows.begin(), rows.end(), 0), 5) << text;
    }
}

TEST(RowSplit, WhatCannotBeIsRefusedByName) {
    const Space space = space_of({40, 30, 20});
    const std::string rows = "in this case rows of cells, which ranks have whole, run along y: ";
    EXPECT_EQ(refusal(parse_split("y"), space, 2), "--split y: " + rows + "take x or z");
    EXPECT_EQ(refusal(parse_split("grid:2x2"), space, 3),
              "--split grid:2x2: these are 4 parts, and the run has 3 ranks: "
              "give as many of the one as of the other");
    EXPECT_EQ(refusal(table({0, 1}, 1, {0}), space, 2),
              "--split file:map.txt: the ranks are drawn over x and y, and " + rows + "draw them over x and z");
    EXPECT_EQ(refusal(table({0, 2}, 3, {0, 5, 1}), space, 4),
              "--split file:map.txt: rank 5 is drawn, and the run has ranks 0 to 3: start 6 ranks");
    EXPECT_EQ(refusal(table({0, 2}, 3, {0, 5, 1}), space, 6), "");
    for (const char* text : {"y", "grid:2x2"}) EXPECT_EQ(refusal(parse_split(text), space, 1), "") << "alone";
}

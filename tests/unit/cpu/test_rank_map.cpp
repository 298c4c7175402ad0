// SPDX-License-Identifier: Apache-2.0
#include "cpu/subdomains/rank_map.h"
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace sluice::cpu;

namespace {

/// Rows that a rank has, found by asking where the nearest row that may hold particles is.
struct Grid {
    Rows rows;
    std::vector<RankNumber> owner; ///< of the rows without images

    int inner(int axis) const { return rows.inner_end[axis] - rows.inner_begin[axis]; }
    bool holds_particles(int y, int z) const {
        return y >= rows.inner_begin[1] && y < rows.inner_end[1] && z >= rows.inner_begin[2] && z < rows.inner_end[2];
    }
    int owner_of(int y, int z) const {
        int nearest = -1, rank = -1;
        for (int oz = rows.inner_begin[2]; oz < rows.inner_end[2]; ++oz)
            for (int oy = rows.inner_begin[1]; oy < rows.inner_end[1]; ++oy) {
                const int away = std::abs(oy - y) + std::abs(oz - z);
                if (nearest >= 0 && away >= nearest) continue;
                nearest = away;
                rank =
                    owner[static_cast<std::size_t>((oz - rows.inner_begin[2]) * inner(1) + oy - rows.inner_begin[1])];
            }
        return rank;
    }
    /// The ranks that have a cell within reach of any cell of a row.
    std::set<int> observers_of(int y, int z) const {
        std::set<int> found;
        for (int oz = 0; oz < rows.count_z; ++oz)
            for (int oy = 0; oy < rows.count_y; ++oy)
                if (holds_particles(oy, oz) && std::abs(oy - y) <= rows.reach && std::abs(oz - z) <= rows.reach)
                    found.insert(owner_of(oy, oz));
        return found;
    }
};

Grid random_grid(std::mt19937& random, int ranks) {
    Grid grid;
    grid.rows = {3, 0, 0, 1 + static_cast<int>(random() % 2)};
    const int layers_y = random() % 2 ? grid.rows.reach : 0, layers_z = random() % 2 ? grid.rows.reach : 0;
    const int inner_y = 1 + static_cast<int>(random() % 7), inner_z = 1 + static_cast<int>(random() % 8);
    grid.rows.inner_begin[1] = layers_y;
    grid.rows.inner_end[1] = layers_y + inner_y;
    grid.rows.inner_begin[2] = layers_z;
    grid.rows.inner_end[2] = layers_z + inner_z;
    grid.rows.count_y = inner_y + 2 * layers_y;
    grid.rows.count_z = inner_z + 2 * layers_z;
    const unsigned scattered = 1 + random() % 6; // how many rows in turn have the same rank
    for (int k = 0; k < inner_y * inner_z; ++k)
        grid.owner.push_back(k % static_cast<int>(scattered) == 0
                                 ? static_cast<RankNumber>(random() % static_cast<unsigned>(ranks))
                                 : grid.owner.back());
    return grid;
}

} // namespace

TEST(RankMap, OfAThousandRandomOnesTellsWhoSeesWhatAsAskingEveryRowWould) {
    std::mt19937 random(5);
    for (int n = 0; n < 1000; ++n) {
        const int ranks = 1 + static_cast<int>(random() % 9);
        const Grid grid = random_grid(random, ranks);
        const RankMap map(grid.owner, ranks, grid.rows);
        ASSERT_EQ(map.ranks(), ranks);
        for (int z = 0; z < grid.rows.count_z; ++z)
            for (int y = 0; y < grid.rows.count_y; ++y) {
                const auto row = static_cast<std::uint32_t>(z * grid.rows.count_y + y);
                if (grid.holds_particles(y, z)) {
                    ASSERT_EQ(map.owner(row), grid.owner_of(y, z));
                }
                const std::set<int> expected = grid.observers_of(y, z);
                EXPECT_TRUE(expected.contains(map.owner(row))) << "an owner that does not see its own images";
                std::set<int> told;
                map.for_each_observer(row, [&](int rank) { EXPECT_TRUE(told.insert(rank).second) << "told twice"; });
                ASSERT_EQ(told, expected) << "row " << row << " of map " << n;
                for (int rank = 0; rank < ranks; ++rank) {
                    EXPECT_EQ(map.sees(rank, row), expected.contains(rank));
                    if (expected.contains(rank)) {
                        EXPECT_TRUE(map.seen(rank).has(row));
                    }
                    EXPECT_FALSE(map.longest_unseen(rank).has(row) && expected != std::set<int>{rank});
                    EXPECT_EQ(map.own_rows(rank)[row] != 0, map.owner(row) == rank);
                }
            }
    }
}

TEST(RankMap, RowsThatOnlyOneSeesAreTheMostThatLieTogether) {
    Rows rows{3, 1, 12, 1};
    rows.inner_end[1] = 1;
    rows.inner_end[2] = 12;
    const RankMap map({0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1}, 3, rows);
    EXPECT_EQ(map.longest_unseen(0), (IndexRange{7, 10}));
    EXPECT_EQ(map.longest_unseen(1), (IndexRange{3, 5}));
    EXPECT_EQ(map.longest_unseen(2).count(), 0u);
    EXPECT_EQ(map.seen(0), (IndexRange{0, 12}));
    EXPECT_EQ(map.seen(1), (IndexRange{1, 12}));
    EXPECT_EQ(map.seen(2).count(), 0u);
}

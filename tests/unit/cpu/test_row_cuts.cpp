// SPDX-License-Identifier: Apache-2.0
#include "cpu/row_cuts.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>

using namespace sluice;
using cpu::IndexRange;
using cpu::RowCuts;

namespace {

/// The ranks that have a row within `depth` of this one, found by asking each.
std::set<int> observers_by_asking(const RowCuts& cuts, std::uint32_t row, std::uint32_t depth) {
    std::set<int> found;
    for (int rank = 0; rank < cuts.ranks(); ++rank)
        for (std::uint32_t own = cuts.own(rank).begin; own < cuts.own(rank).end; ++own)
            if (std::max(own, row) - std::min(own, row) <= depth) found.insert(rank);
    return found;
}

} // namespace

TEST(RowCuts, ThousandRandomSplitsSendWhatAskingEveryRankWouldSend) {
    std::mt19937 random(5);
    for (int n = 0; n < 1000; ++n) {
        const std::uint32_t rows = 1 + random() % 40, depth = random() % 12;
        const int ranks = 1 + static_cast<int>(random() % 9);
        std::vector<std::uint32_t> begin{0, rows};
        for (int k = 1; k < ranks; ++k)
            begin.push_back(random() % (rows + 1)); // often twice the same: a rank with none
        std::ranges::sort(begin);
        const RowCuts cuts(begin, depth);
        for (std::uint32_t row = 0; row < rows; ++row) {
            EXPECT_TRUE(cuts.own(cuts.owner(row)).has(row));
            const std::set<int> expected = observers_by_asking(cuts, row, depth);
            std::set<int> told;
            cuts.for_each_observer(row, [&](int rank) { EXPECT_TRUE(told.insert(rank).second) << "told twice"; });
            ASSERT_EQ(told, expected) << "row " << row << " of split " << n;
            for (int rank = 0; rank < ranks; ++rank) {
                EXPECT_EQ(cuts.seen(rank).has(row), expected.contains(rank));
                EXPECT_FALSE(cuts.unseen(rank).has(row) && expected != std::set<int>{rank});
            }
        }
    }
}

TEST(RowCuts, WorkIsSharedEvenlyInWholeRows) {
    EXPECT_EQ(cpu::cut_evenly({1, 1, 1, 1, 1, 1}, 3), (std::vector<std::uint32_t>{0, 2, 4, 6}));
    EXPECT_EQ(cpu::cut_evenly({9, 1, 1, 1, 3, 3}, 2), (std::vector<std::uint32_t>{0, 1, 6}));
    EXPECT_EQ(cpu::cut_evenly({0, 0, 8, 0}, 3).size(), 4u);
    EXPECT_EQ(cpu::cut_evenly({1, 1}, 5).back(), 2u);
    const RowCuts cuts({0, 1, 6}, 1);
    EXPECT_EQ(cpu::greatest_share({9, 1, 1, 1, 3, 3}, cuts), 9u);
    std::mt19937 random(7);
    std::vector<std::uint64_t> work(300);
    for (auto& w : work) w = random() % 100;
    const std::uint64_t all = std::accumulate(work.begin(), work.end(), std::uint64_t(0));
    for (int parts = 1; parts < 20; ++parts)
        EXPECT_LE(cpu::greatest_share(work, RowCuts(cpu::cut_evenly(work, parts), 3)),
                  all / std::uint64_t(parts) + 100);
}

// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/zone_cells.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::cpu;

namespace {

using Ranges = std::vector<IndexRange>;

} // namespace

TEST(ZoneCells, OfOneRankAreWhatLiesInItsOwnRuns) {
    const std::vector<OwnRun> own{{2, 4, 0}, {4, 6, 1}, {9, 13, 2}};
    EXPECT_EQ(own_parts({{0, 4}, {4, 10}, {12, 15}}, own), (Ranges{{2, 4}, {4, 6}, {9, 10}, {12, 13}}));
    EXPECT_EQ(own_parts({{0, 20}}, own), (Ranges{{2, 4}, {4, 6}, {9, 13}}));
    EXPECT_EQ(own_parts({{0, 2}, {6, 9}, {13, 20}}, own), Ranges{});
    EXPECT_EQ(own_parts({{3, 5}, {5, 6}}, own), (Ranges{{3, 4}, {4, 5}, {5, 6}}));
    EXPECT_EQ(own_parts({{0, 20}}, {}), Ranges{});
}

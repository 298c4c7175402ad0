// SPDX-License-Identifier: Apache-2.0
#include "app/check_timing.h"
#include <gtest/gtest.h>

using namespace sluice;

TEST(CheckTiming, QuantilesAreValuesByRank) {
    const std::vector<double> values{50, 10, 30, 20, 40, 90, 70, 60, 100, 80};
    EXPECT_EQ(quantile(values, 0), 10);
    EXPECT_EQ(quantile(values, 0.1), 20) << "the rank 0.9 from the least, the nearest is the second";
    EXPECT_EQ(quantile(values, 0.5), 60) << "4.5: up";
    EXPECT_EQ(quantile(values, 0.9), 90) << "8.1";
    EXPECT_EQ(quantile(values, 1), 100);
    for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) EXPECT_EQ(quantile({7}, share), 7);
    EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
}

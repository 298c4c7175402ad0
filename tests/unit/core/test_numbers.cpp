// SPDX-License-Identifier: Apache-2.0
#include "core/numbers.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

TEST(ShortNumber, HasThreeDigitsAndAUnit) {
    EXPECT_EQ(short_number(0), "0");
    EXPECT_EQ(short_number(0.5), "0.5");
    EXPECT_EQ(short_number(-1500), "-1.5 k");
    EXPECT_EQ(short_number(999999), "1 M");
    EXPECT_EQ(short_number(1.41e11), "141 G");
    EXPECT_EQ(short_number(std::nan("")), "–");
}

// SPDX-License-Identifier: Apache-2.0
#include "physics/fvpm/angle.h"
#include <cmath>
#include <gtest/gtest.h>

namespace sluice::fvpm {
namespace {

TEST(FvpmAngle, IsTheAngleOfTheMathematicalLibrary) {
    for (int n = -20000; n <= 20000; ++n) {
        const double angle = n * 1.5707e-4; // short of ±π, where both have a cut
        const double s = 3 * std::sin(angle), c = 3 * std::cos(angle);
        ASSERT_NEAR(angle_of(s, c), std::atan2(s, c), 5e-16) << angle;
    }
}

TEST(FvpmAngle, KnowsTheAxes) {
    EXPECT_EQ(angle_of(0.0, 1.0), 0);
    EXPECT_DOUBLE_EQ(angle_of(1.0, 0.0), std::acos(0.0));
    EXPECT_DOUBLE_EQ(angle_of(-1.0, 0.0), -std::acos(0.0));
    EXPECT_DOUBLE_EQ(angle_of(0.0, -1.0), std::acos(-1.0));
}

TEST(FvpmAngle, IsExactForSmallAngles) { EXPECT_DOUBLE_EQ(angle_of(1e-9, 1.0), 1e-9); }

} // namespace
} // namespace sluice::fvpm

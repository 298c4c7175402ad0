// SPDX-License-Identifier: Apache-2.0
#include "physics/waves.h"
#include <gtest/gtest.h>
#include <limits>

using namespace sluice;

TEST(Waves, BeginSmoothlyAndStayWhole) {
    EXPECT_EQ(waves::ramp_up(-1), 0);
    EXPECT_EQ(waves::ramp_up(0), 0);
    EXPECT_EQ(waves::ramp_up(std::numeric_limits<double>::quiet_NaN()), 0);
    EXPECT_DOUBLE_EQ(waves::ramp_up(0.5), 0.6875); // 1 - (1/8) (5/2)
    EXPECT_DOUBLE_EQ(waves::ramp_up(0.25), 1 - 27.0 / 64 * 1.75);
    EXPECT_EQ(waves::ramp_up(1), 1);
    EXPECT_EQ(waves::ramp_up(7), 1);
    EXPECT_NEAR(waves::ramp_up(1e-3), 0, 1e-5); // flat at both ends
    EXPECT_NEAR(waves::ramp_up(1 - 1e-3), 1, 1e-5);
}

TEST(Waves, OrbitsAreThoseOfLinearTheory) {
    const auto surface = waves::depth_profile(2, 0.5, 0), floor = waves::depth_profile(2, 0.5, -0.5);
    EXPECT_NEAR(surface.horizontal, 1.3130352855, 1e-9); // coth 1
    EXPECT_NEAR(surface.vertical, 1, 1e-12);
    EXPECT_NEAR(floor.horizontal, 0.8509181282, 1e-9); // 1/sinh 1
    EXPECT_NEAR(floor.vertical, 0, 1e-12);
    const auto deep = waves::depth_profile(2, 1e4, -0.5); // exp kz, where cosh would overflow
    EXPECT_NEAR(deep.horizontal, 0.3678794412, 1e-9);
    EXPECT_NEAR(deep.vertical, 0.3678794412, 1e-9);
}

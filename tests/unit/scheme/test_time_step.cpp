// SPDX-License-Identifier: Apache-2.0
#include "scheme/time_step.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice::sph;

TEST(TimeStep, IsTheSmallerOfTheForceAndTheSpeedLimit) {
    Constants c;
    c.h = 0.02;
    c.cfl = 0.2;
    EXPECT_NEAR(time_step(c, {100.0f * 100.0f, 1.0f}), 0.2 * std::sqrt(0.02 / 100), 1e-12);
    EXPECT_NEAR(time_step(c, {1.0f, 40.0f}), 0.2 * 0.02 / 40, 1e-12);
    EXPECT_NEAR(time_step(c, {0.0f, 40.0f}), 0.2 * 0.02 / 40, 1e-12);
}

TEST(TimeStep, NeverFallsBelowItsMinimumAndObeysAFixedOne) {
    Constants c;
    c.h = 0.02;
    c.dt_min = 1e-3;
    EXPECT_EQ(time_step(c, {1e12f, 400.0f}), 1e-3);
    c.dt_fixed = 5e-5;
    EXPECT_EQ(time_step(c, {1e12f, 400.0f}), 5e-5);
}

TEST(TimeStep, ShowsABlownUpRun) {
    EXPECT_FALSE(std::isfinite(unbounded_time_step(0.2, 0.02, {1.0f, NAN})));
    EXPECT_EQ(unbounded_time_step(0.2, 0.02, {INFINITY, 1.0f}), 0);
    Constants c;
    c.h = 0.02;
    c.dt_min = 1e-6;
    EXPECT_TRUE(std::isnan(time_step(c, {1.0f, NAN})));
}

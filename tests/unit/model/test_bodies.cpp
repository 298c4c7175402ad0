// SPDX-License-Identifier: Apache-2.0
#include "model/bodies.h"
#include <gtest/gtest.h>

using namespace sluice;

TEST(BodyState, IsAnotherWhereAnyOfItsNumbersIs) {
    const BodyState whole;
    EXPECT_TRUE(whole == BodyState{});
    for (int k = 0; k < 4; ++k) {
        BodyState other;
        other.turning[k] += 0.5;
        EXPECT_FALSE(whole == other) << k;
    }
    for (const auto member : {&BodyState::centre, &BodyState::velocity, &BodyState::angular_velocity,
                              &BodyState::velocity_previous, &BodyState::angular_velocity_previous})
        for (int axis = 0; axis < 3; ++axis) {
            BodyState other;
            (other.*member)[axis] = 1;
            EXPECT_FALSE(whole == other) << axis;
        }
}

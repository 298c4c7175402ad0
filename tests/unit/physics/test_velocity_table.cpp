// SPDX-License-Identifier: Apache-2.0
#include "physics/velocity_table.h"
#include <gtest/gtest.h>

using namespace sluice;

namespace {

/// u = 1 + 2x + 3z + 10t and w = u/2 over x = 0, 1, 4, z = 1, 1.5 and t = 2, 3, where they are bilinear.
VelocityTables linear(bool has_z) {
    VelocityTables made;
    made.numbers = {2, 3, 0, 1, 4};
    made.tables = {{0, 2, 2, 3, 1, 0.5, 2, has_z, 0}};
    for (const double t : {2.0, 3.0})
        for (const double x : {0.0, 1.0, 4.0})
            for (const double z : {1.0, 1.5}) {
                const double u = 1 + 2 * x + 3 * z + 10 * t;
                made.values.push_back(static_cast<float>(u));
                if (has_z) made.values.push_back(static_cast<float>(0.5 * u));
            }
    return made;
}

} // namespace

TEST(VelocityTable, IsLinearBetweenPlacesAndTimes) {
    for (const bool has_z : {false, true}) {
        const VelocityTables made = linear(has_z);
        const Vec3d v = velocity_in(view_of(made), made.tables[0], 2.5, 1.2, 2.75);
        EXPECT_NEAR(v.x, 1 + 5 + 3.6 + 27.5, 1e-5);
        EXPECT_EQ(v.y, 0);
        EXPECT_NEAR(v.z, has_z ? 0.5 * (1 + 5 + 3.6 + 27.5) : 0, 1e-5);
    }
}

TEST(VelocityTable, HoldsBeyondItsEnds) {
    const VelocityTables made = linear(false);
    const auto u = [&](double x, double z, double t) { return velocity_in(view_of(made), made.tables[0], x, z, t).x; };
    EXPECT_NEAR(u(-3, 1, 2), 1 + 3 + 20, 1e-5);
    EXPECT_NEAR(u(9, 1, 2), 1 + 8 + 3 + 20, 1e-5);
    EXPECT_NEAR(u(0, -5, 2), 1 + 3 + 20, 1e-5);
    EXPECT_NEAR(u(0, 99, 2), 1 + 4.5 + 20, 1e-5);
    EXPECT_NEAR(u(0, 1, 0), 1 + 3 + 20, 1e-5);
    EXPECT_NEAR(u(0, 1, 50), 1 + 3 + 30, 1e-5);
}

TEST(VelocityTable, MayHaveOnePlaceAndOneTime) {
    VelocityTables made;
    made.numbers = {5, 1};
    made.tables = {{0, 1, 1, 1, 0, 1, 1, false, 0}};
    made.values = {7};
    for (const double place : {-1.0, 0.0, 1.0, 9.0})
        EXPECT_EQ(velocity_in(view_of(made), made.tables[0], place, place, place).x, 7);
}

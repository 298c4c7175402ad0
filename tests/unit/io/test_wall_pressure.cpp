// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/wall_pressure.h"

#include "model/derive.h"
#include "sample.h"
#include <gtest/gtest.h>

using namespace sluice;

namespace {

constexpr double floor_dp = 0.05;

/// The column of sample.h, 1 m wide and 2 m high, at rest under a body force in some direction.
struct StillColumn {
    RunSetup setup;
    Frame frame;

    explicit StillColumn(const Vec3d& gravity) {
        sph::Constants& c = setup.constants;
        c.two_d = true;
        c.dp = floor_dp;
        c.h = 1.3 * floor_dp;
        c.c0 = 60;
        c.gravity = gravity;
        sph::derive(c);
        const ParticleSet set = sample::column(floor_dp);
        setup.set_groups(groups_of(set.blocks));
        frame = sample::still_frame(set);
        for (std::size_t i = 0; i < frame.size(); ++i)
            frame.pressure[i] = static_cast<float>(pressure(frame.position[i]));
    }
    double pressure(const Vec3d& at) const { return 20000 + 1000 * dot(setup.constants.gravity, at); }
};

} // namespace

TEST(wall_pressure, is_that_of_the_fluid_at_rest_at_the_place_of_the_wall) {
    for (const Vec3d& gravity : {Vec3d{0, 0, -9.81}, Vec3d{3, 0, -1}}) {
        const StillColumn column(gravity);
        const FluidInterpolator fluid(column.frame, column.setup.groups, column.setup.constants);
        for (const Vec3d& wall : {Vec3d{0.5, 0, 0}, Vec3d{0.52, 0, -0.05}, Vec3d{0, 0, 1.03}, Vec3d{1.1, 0, 0.9}})
            EXPECT_NEAR(wall_pressure(fluid, wall), column.pressure(wall), 0.02) << wall.x << " " << wall.z;
    }
}

TEST(wall_pressure, is_zero_where_no_fluid_is_in_reach) {
    const StillColumn column({0, 0, -9.81});
    const FluidInterpolator fluid(column.frame, column.setup.groups, column.setup.constants);
    EXPECT_NE(wall_pressure(fluid, {0.5, 0, floor_dp - 2.59 * floor_dp}), 0);
    EXPECT_EQ(wall_pressure(fluid, {0.5, 0, floor_dp - 2.61 * floor_dp}), 0);
}

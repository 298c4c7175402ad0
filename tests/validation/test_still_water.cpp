// SPDX-License-Identifier: Apache-2.0
#include "case_run.h"
#include <cmath>

using namespace sluice;
using namespace sluice::validation;

TEST(StillWater, StaysStillWithHydrostaticPressure) {
    CaseRun run("hydrostatic-tank.xml");
    const sph::Constants& c = run.setup.constants;
    const double g = 9.81, dp = c.dp;
    double level = 0, bottom_pressure = 0, speed = 0;
    double start_level = 0, mean_z_start = 0, mean_z = 0;
    int samples = 0;
    std::size_t count = 0;
    run.run(0.02, [&](const Frame& frame) {
        const FlowStatistics s = flow_statistics(frame, c, run.setup.groups);
        if (frame.time == 0) {
            start_level = s.highest;
            mean_z_start = s.centroid.z;
        }
        if (frame.time < 1) return; // settling
        double bottom = 0;
        int bottom_count = 0;
        for (std::size_t i = run.setup.groups.fluid_begin(frame.id); i < frame.size(); ++i)
            if (frame.position[i].z < 1.5 * dp && frame.position[i].x > 0.2 && frame.position[i].x < 0.8) {
                // pressure carried down to the floor z = 0 by hydrostatics
                bottom += frame.pressure[i] + c.rho0 * g * frame.position[i].z;
                ++bottom_count;
            }
        bottom_pressure += bottom / bottom_count;
        level += s.highest;
        mean_z += s.centroid.z;
        speed = std::max(speed, s.speed_max);
        count = frame.size();
        ++samples;
    });
    ASSERT_GT(samples, 10);
    level /= samples;
    bottom_pressure /= samples;
    mean_z /= samples;
    const double depth = 0.5;
    std::printf("bottom pressure %.1f Pa (rho g H = %.1f), mean level moved %.2f dp, top %.2f dp, largest speed %.4f "
                "sqrt(gH)\n",
                bottom_pressure, c.rho0 * g * depth, 2 * (mean_z - mean_z_start) / dp, (level - start_level) / dp,
                speed / std::sqrt(g * depth));
    EXPECT_NEAR(bottom_pressure, c.rho0 * g * depth, 0.03 * c.rho0 * g * depth);
    EXPECT_LT(std::abs(2 * (mean_z - mean_z_start)), dp); // the centroid of a column moves by half of its level
    EXPECT_LT(speed, 0.05 * std::sqrt(g * depth));
    EXPECT_EQ(count, run.particles.size());
    EXPECT_TRUE(run.excluded.empty());
}

/// Walls whose density comes from ghost nodes: the water's pressure is hydrostatic up to slanted walls and corners.
TEST(StillWater, OverAWedgeIsStillAndHydrostaticUpToTheWalls) {
    Case definition = read_case(std::string(SLUICE_SOURCE_DIR) + "/cases/still-wedge-2d.xml", {});
    definition.parameters.time_max = 1.2;
    CaseRun run(std::move(definition));
    const sph::Constants& c = run.setup.constants;
    const double g = 9.81, level = 0.4;
    double squares = 0, speed = 0, floor = 0;
    std::size_t samples = 0, floor_samples = 0;
    run.run(0.05, [&](const Frame& frame) {
        if (frame.time < 0.8) return; // settling
        speed = std::max(speed, flow_statistics(frame, c, run.setup.groups).speed_max);
        for (std::size_t i = 0; i < frame.size(); ++i) {
            const Vec3d& p = frame.position[i];
            const double error = frame.pressure[i] - c.rho0 * g * (level - p.z);
            if (run.setup.groups.is_fluid(frame.id[i])) {
                squares += error * error;
                ++samples;
            } else if (p.z > -0.6 * c.dp && p.z < 0 && p.x > 0.05 && p.x < 0.3) {
                floor += error;
                ++floor_samples;
            }
        }
    });
    ASSERT_GT(samples, 1000u);
    ASSERT_GT(floor_samples, 10u);
    const double l2 = std::sqrt(squares / double(samples)) / (c.rho0 * g * level),
                 floor_error = floor / double(floor_samples) / (c.rho0 * g * level);
    std::printf("L2 of the pressure %.2f %%, floor %.2f %%, largest speed %.4f sqrt(gH)\n", 100 * l2, 100 * floor_error,
                speed / std::sqrt(g * level));
    EXPECT_LT(l2, 0.01);
    EXPECT_LT(std::abs(floor_error), 0.02);
    EXPECT_LT(speed, 5e-3 * std::sqrt(g * level));
    EXPECT_TRUE(run.excluded.empty());
}

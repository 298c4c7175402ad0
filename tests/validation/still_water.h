// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case_run.h"
#include <cmath>

namespace sluice::validation {

/// Runs the tank of still water and expects that, once settled (s), it stays still and its pressure is hydrostatic.
inline void expect_still_water(CaseRun& run, double settled) {
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
        if (frame.time < settled) return;
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

} // namespace sluice::validation

// SPDX-License-Identifier: Apache-2.0
#include "bench/timing.h"
#include <gtest/gtest.h>

using namespace sluice::bench;

TEST(StepPlan, FillsTheBudget) {
    const StepPlan plan = plan_steps({{0.1, 0.5}, {0.1, 0.1}}, 60, false);
    EXPECT_EQ(plan.repeats, 5);
    const double wall = plan.repeats * (0.2 + 0.6 * double(plan.warm_up + plan.steps));
    EXPECT_LE(wall, 60);
    EXPECT_GT(wall, 50);
}

TEST(StepPlan, FewerRepeatsWhereStepsAreDear) {
    EXPECT_EQ(plan_steps({{1, 2}}, 100, false).repeats, 5);
    EXPECT_EQ(plan_steps({{1, 2}}, 25, false).repeats, 3);
    const StepPlan two = plan_steps({{1, 2}}, 5, false);
    EXPECT_EQ(two.repeats, 2);
    EXPECT_EQ(two.steps, 1);
    EXPECT_EQ(plan_steps({{1, 2}}, 1, false).steps, 0);
}

TEST(StepPlan, TinyStepsDoNotRunForever) { EXPECT_LE(plan_steps({{0, 1e-6}}, 1000, true).steps, 1000); }

TEST(StepPlan, GpuVersionsTakeATenthOfASecond) {
    StepPlan plan;
    plan.warm_up = 1;
    plan.steps = 3;
    EXPECT_EQ(lengthen_for_gpu(plan, 0.001).gpu_steps, 100);
    EXPECT_EQ(lengthen_for_gpu(plan, 0.001).gpu_warm_up, 20);
    EXPECT_EQ(lengthen_for_gpu(plan, 1e-6).gpu_steps, 1000);
    EXPECT_EQ(lengthen_for_gpu(plan, 0.2).gpu_steps, 3);
}

// Structure and units of a real, very small bench; never its speed.
TEST(Measure, TakesTheSameStepsOfEveryVersion) {
    ExperimentResult result;
    Plan plan;
    plan.budget = 2;
    measure(cpu_ladder(), {2000}, plan, result);
    ASSERT_EQ(result.measurements.size(), 4u);
    for (const Measurement& m : result.measurements) {
        EXPECT_EQ(m.steps(), result.measurements.front().steps());
        EXPECT_GE(m.samples.size(), 2u);
        EXPECT_GT(m.memory_bytes, 0u);
        for (const Sample& s : m.samples) {
            EXPECT_GT(s.wall_seconds, 0);
            EXPECT_GT(s.phases.interaction, 0);
            const double phases = s.phases.cell_list + s.phases.interaction + s.phases.update;
            EXPECT_LE(phases, 1.01 * s.wall_seconds);
        }
    }
    EXPECT_FALSE(result.measured.empty());
}

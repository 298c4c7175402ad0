// SPDX-License-Identifier: Apache-2.0
#include "app/check_timing.h"
#include "core/error.h"
#include "unit/idle_backend.h"
#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace sluice;

namespace {

/// The nth step takes n tenths of a second of the simulated time, and each call is worth one.
class LengtheningSteps final : public test::IdleBackend {
public:
    std::vector<AdvanceLimits> asked;
    std::int64_t breaks_at = 1000, steps_a_call = 1;
    std::chrono::milliseconds call_takes{0};

    AdvanceReport advance(const AdvanceLimits& limits) override {
        asked.push_back(limits);
        if (now_.step == breaks_at) throw RunError("no further step");
        std::this_thread::sleep_for(call_takes);
        now_.step += limits.steps == 1 ? 1 : steps_a_call;
        now_.time += 0.1 * double(now_.step);
        return now_;
    }

private:
    AdvanceReport now_;
};

} // namespace

// One step for itself, whose time may be long; then others, as many as there is time for or steps in the run.
TEST(CheckTiming, TimesTheStepsOfAShortRunAfterTheFirst) {
    LengtheningSteps backend;
    const StepTiming timing = time_first_steps(backend, 0.2);
    EXPECT_EQ(timing.first_dt, 0.1);
    EXPECT_EQ(timing.steps, 1); // from 0.1 to 0.3 s
    EXPECT_NEAR(timing.dt, 0.2, 1e-12);
    ASSERT_EQ(backend.asked.size(), 2u);
    EXPECT_EQ(backend.asked[0].steps, 1);
    for (const AdvanceLimits& limits : backend.asked) EXPECT_EQ(limits.time, 0.2);
    EXPECT_GT(backend.asked[1].steps, 1000);
    EXPECT_NEAR(backend.asked[1].wall_seconds, 0.1, 0.05);
    EXPECT_LE(timing.fewest_seconds, timing.seconds_per_step);
    EXPECT_LE(timing.seconds_per_step, timing.most_seconds);
    EXPECT_GE(timing.fewest_seconds, 0);
}

// One call takes many steps: a step is worth its share of the wall time.
TEST(CheckTiming, AStepTakesItsShareOfACall) {
    LengtheningSteps backend;
    backend.steps_a_call = 50;
    backend.call_takes = std::chrono::milliseconds(5);
    const auto began = std::chrono::steady_clock::now();
    const StepTiming timing = time_first_steps(backend, 0.2);
    const std::chrono::duration<double> all = std::chrono::steady_clock::now() - began;
    EXPECT_EQ(timing.steps, 50);
    EXPECT_GE(timing.seconds_per_step, 1e-4) << "5 ms for 50 steps";
    EXPECT_LE(50 * timing.seconds_per_step, all.count());
}

TEST(CheckTiming, ARunOfOneStepHasNoOthers) {
    LengtheningSteps backend;
    const StepTiming timing = time_first_steps(backend, 0.05);
    EXPECT_EQ(timing.steps, 1);
    EXPECT_NEAR(timing.dt, 0.1, 1e-12);
    EXPECT_EQ(backend.asked.size(), 1u);
    LengtheningSteps broken;
    broken.breaks_at = 1;
    EXPECT_THROW(time_first_steps(broken, 1), RunError);
}

TEST(CheckTiming, PicturesTakeTheLongerTheMoreThereAre) {
    EXPECT_EQ(time_pictures({}, {}, 0), 0);
    EXPECT_GT(time_pictures({}, {}, 1), 0);
}

TEST(CheckTiming, QuantilesAreValuesByRank) {
    const std::vector<double> values{50, 10, 30, 20, 40, 90, 70, 60, 100, 80};
    EXPECT_EQ(quantile(values, 0), 10);
    EXPECT_EQ(quantile(values, 0.1), 20) << "the rank 0.9 from the least, the nearest is the second";
    EXPECT_EQ(quantile(values, 0.5), 60) << "4.5: up";
    EXPECT_EQ(quantile(values, 0.9), 90) << "8.1";
    EXPECT_EQ(quantile(values, 1), 100);
    for (const double share : {0.0, 0.1, 0.5, 0.9, 1.0}) EXPECT_EQ(quantile({7}, share), 7);
    EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
}

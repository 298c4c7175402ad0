// SPDX-License-Identifier: Apache-2.0
#include "run/progress.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <string>

using namespace sluice;

namespace {

/// Half of 4 s simulated in 30 s of wall time, 1,000 steps.
Progress half_way() {
    Progress p;
    p.now.time = 2;
    p.now.step = 1000;
    p.now.dt = 2.5e-3;
    p.now.particles = 50000;
    p.wall_seconds = 30;
    p.time_max = 4;
    return p;
}

} // namespace

TEST(Duration, IsReadAtAGlance) {
    EXPECT_EQ(format_duration(12.34), "12.3 s");
    EXPECT_EQ(format_duration(59.97), "1 min 00 s");
    EXPECT_EQ(format_duration(200), "3 min 20 s");
    EXPECT_EQ(format_duration(3599.6), "1 h 00 min");
    EXPECT_EQ(format_duration(3725), "1 h 02 min");
    EXPECT_EQ(format_duration(1e9), "–");
    EXPECT_EQ(format_duration(std::numeric_limits<double>::quiet_NaN()), "–");
}

TEST(Progress, SaysHowFarARunIsAndHowLongItTakes) {
    EXPECT_EQ(progress_text(half_way(), 34, 200),
              " 50.0 %  t = 2.0000 s  left 30.0 s  34.0 steps/s  step 1000  1.70 M particle-steps/s  dt = 2.50e-03 s");
}

TEST(Progress, LeavesOutWhatDoesNotFit) {
    EXPECT_EQ(progress_text(half_way(), 33.3, 40), " 50.0 %  t = 2.0000 s  left 30.0 s");
    EXPECT_EQ(progress_text(half_way(), 33.3, 1), " 50.0 %");
    EXPECT_EQ(progress_text(half_way(), 33.3, 21), " 50.0 %  t = 2.0000 s"); // 21 is its size
    EXPECT_EQ(progress_text(half_way(), 33.3, 20), " 50.0 %");
}

TEST(Progress, OfAResumedRunCountsWhatThisProcessHasDone) {
    Progress p = half_way();
    p.start_time = 1; // a quarter took 30 s, half is left
    EXPECT_NE(progress_text(p, 0, 200).find("left 1 min 00 s"), std::string::npos);
    p = half_way();
    p.max_steps = 1250; // 80 % of the steps, of which this process did the last 30 %
    p.start_step = 625;
    const std::string text = progress_text(p, 0, 200);
    EXPECT_EQ(text.substr(0, 8), " 80.0 % ");
    EXPECT_NE(text.find("left 20.0 s"), std::string::npos) << text;
}

TEST(Progress, GoesByTheLimitThatEndsTheRunSooner) {
    Progress p = half_way();
    p.max_steps = 1000;
    EXPECT_EQ(progress_text(p, 0, 8), "100.0 %");
    p.max_steps = 100000;
    EXPECT_EQ(progress_text(p, 0, 8), " 50.0 %");
    p.time_max = 0;
    EXPECT_EQ(progress_text(p, 0, 8), "  1.0 %");
    p.max_steps = 0;
    EXPECT_NE(progress_text(p, 0, 40).find("left –"), std::string::npos);
}

TEST(Progress, ForProgramsIsAnObjectInALine) {
    EXPECT_EQ(progress_json_line(half_way(), 34),
              R"({"step": 1000, "time": 2, "time_max": 4, "done": 0.500000, "seconds_left": 30.0, )"
              R"("wall_seconds": 30.000, "steps_per_second": 34.000, "particle_steps_per_second": 1.7e+06, )"
              R"("time_step": 0.0025, "particles": 50000})");
    EXPECT_NE(progress_json_line(Progress(), 0).find(R"("seconds_left": null,)"), std::string::npos);
    Progress p = half_way();
    p.now.time = p.time_max;
    testing::internal::CaptureStdout();
    ProgressLine line(ProgressStyle::json);
    line.show(p);
    line.finish();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), progress_json_line(p, 1000.0 / 30) + "\n");
}

TEST(Progress, RatesAreThoseOfTheRecentPast) {
    RecentRate rate;
    Progress p = half_way();
    p.start_step = 400;
    EXPECT_DOUBLE_EQ(rate.look(p), 20); // 600 steps in 30 s
    p.now.step += 50;
    p.wall_seconds += 5;
    EXPECT_DOUBLE_EQ(rate.look(p), 10);
    EXPECT_DOUBLE_EQ(rate.look(p), 10) << "no time has gone by";
}

TEST(Progress, IsOneLineOnATerminalThatEndsWithTheRun) {
    Progress p = half_way();
    p.now.time = p.time_max; // the last one is always shown
    testing::internal::CaptureStderr();
    ProgressLine line(ProgressStyle::line);
    line.finish(); // nothing was shown
    line.show(p);
    line.finish();
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_EQ(text.substr(0, 11), "\r\033[K100.0 %");
    EXPECT_EQ(std::ranges::count(text, '\n'), 1);
    EXPECT_EQ(text.back(), '\n');
}

// SPDX-License-Identifier: Apache-2.0
#include "run/sampler.h"

#include <gtest/gtest.h>
#include <vector>

using sluice::SampleClock;

TEST(sample_clock, gives_the_multiples_of_its_period) {
    SampleClock clock(0.25, 0.5, 2);
    EXPECT_EQ(clock.next_time(), 0.5);
    clock.taken(0.6);
    EXPECT_EQ(clock.next_time(), 0.75);
    clock.taken(1.3); // a step that went past several
    EXPECT_EQ(clock.next_time(), 1.5);
    clock.taken(2);
    EXPECT_EQ(clock.next_time(), std::numeric_limits<double>::infinity());
}

TEST(sample_clock, goes_on_where_it_was) {
    SampleClock clock(0.25), again(0.25);
    for (const double time : {0.0, 0.26, 0.51}) clock.taken(time);
    again.resume(0.51);
    EXPECT_EQ(again.next_time(), clock.next_time());
}

TEST(sample_clock, takes_a_period_that_times_cannot_tell_apart_for_every_step) {
    for (const double period : {1e-25, 1e-300, 5e-324, 0.0})
        for (const double start : {0.0, 0.8, -1e300}) {
            SampleClock clock(period, start);
            for (const double time : {0.8, 0.8001, 0.9, 1e6}) {
                EXPECT_LE(clock.next_time(), time) << period << ' ' << start;
                clock.taken(time);
                EXPECT_GT(clock.next_time(), time) << period << ' ' << start;
                EXPECT_LT(clock.next_time(), time * 1.00001) << period << ' ' << start;
            }
        }
}

TEST(sample_clock, changes_its_period) {
    SampleClock clock(0.4);
    clock.change_period(1, 0.25);
    clock.change_period(1.6, 1);
    std::vector<double> times;
    for (int n = 0; n < 8; ++n) {
        times.push_back(clock.next_time());
        clock.taken(times.back());
    }
    EXPECT_EQ(times, (std::vector<double>{0, 0.4, 0.8, 1, 1.25, 1.5, 1.6, 2.6}));
    SampleClock late(0.4);
    late.change_period(1, 0.25);
    late.taken(1.3); // a step that overshot the change
    EXPECT_EQ(late.next_time(), 1.5);
    SampleClock resumed(0.4);
    resumed.change_period(1, 0.25);
    resumed.resume(1.25);
    EXPECT_EQ(resumed.next_time(), 1.5);
}

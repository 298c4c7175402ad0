// SPDX-License-Identifier: Apache-2.0
#include "run/sampler.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

namespace {
constexpr double never = std::numeric_limits<double>::infinity();
}

TEST(SampleClock, GoesOnByWholePeriodsHoweverLateTheSteps) {
    SampleClock clock(0.5);
    EXPECT_EQ(clock.next_time(), 0);
    clock.taken(0);
    EXPECT_EQ(clock.next_time(), 0.5);
    clock.taken(0.7);
    EXPECT_EQ(clock.next_time(), 1);
    clock.taken(2.6); // a step past several times: one sample for all
    EXPECT_EQ(clock.next_time(), 3);
    clock.taken(3);
    EXPECT_EQ(clock.next_time(), 3.5);
}

TEST(SampleClock, DoesNotDriftOverManyPeriods) {
    SampleClock clock(0.1);
    for (int n = 0; n < 100000; ++n) {
        EXPECT_DOUBLE_EQ(clock.next_time(), 0.1 * n);
        clock.taken(clock.next_time());
    }
}

TEST(SampleClock, BeginsAndEndsWhenItIsTold) {
    SampleClock clock(0.5, 1, 2);
    EXPECT_EQ(clock.next_time(), 1);
    clock.taken(1.1);
    EXPECT_EQ(clock.next_time(), 1.5);
    clock.taken(1.6);
    EXPECT_EQ(clock.next_time(), 2) << "the end itself is one of its times";
    clock.taken(2);
    EXPECT_EQ(clock.next_time(), never);
}

TEST(SampleClock, WithoutAPeriodTakesEveryStep) {
    SampleClock clock(0, 0.2);
    EXPECT_EQ(clock.next_time(), 0.2);
    clock.taken(0.25);
    EXPECT_GT(clock.next_time(), 0.25);
    EXPECT_LT(clock.next_time(), 0.25 + 1e-15);
}

TEST(SampleClock, KnowsWhichOfItsTimesCameLast) {
    const SampleClock clock(0.5, 1, 2);
    EXPECT_EQ(clock.last_time(0.99), -never);
    EXPECT_EQ(clock.last_time(1), 1);
    EXPECT_EQ(clock.last_time(1.49), 1);
    EXPECT_EQ(clock.last_time(1.5), 1.5);
    EXPECT_EQ(clock.last_time(7), 2) << "none after its end";
    EXPECT_EQ(SampleClock(0).last_time(0.123), 0.123) << "every step is one";
    EXPECT_EQ(SampleClock(1e-300).last_time(0.123), 0.123) << "shorter than times can tell apart";
    SampleClock faster(0.5);
    faster.change_period(1.2, 0.1);
    faster.change_period(1.5, 1);
    EXPECT_EQ(faster.last_time(1.19), 1);
    EXPECT_EQ(faster.last_time(1.25), 1.2);
    EXPECT_EQ(faster.last_time(1.35), 1.2 + 0.1);
    EXPECT_EQ(faster.last_time(2.4), 1.5);
    EXPECT_EQ(faster.last_time(2.5), 2.5);
}

TEST(SampleClock, FindsAgainTheTimesThatItGave) {
    SampleClock going(0.1);
    const SampleClock still(0.1);
    for (int n = 0; n < 20000; ++n) {
        const double due = going.next_time();
        EXPECT_EQ(still.last_time(due), due);
        EXPECT_EQ(still.last_time(std::nextafter(due, never)), due);
        if (n > 0) {
            EXPECT_LT(still.last_time(std::nextafter(due, 0)), due);
        }
        going.taken(due);
    }
}

TEST(SampleClock, GoesOnAfterWhatAnEarlierPartOfTheRunHasTaken) {
    SampleClock at_time(0.5), between(0.5), before(0.5, 2);
    at_time.resume(1);
    EXPECT_EQ(at_time.next_time(), 1.5);
    between.resume(1.2);
    EXPECT_EQ(between.next_time(), 1.5);
    before.resume(1.9);
    EXPECT_EQ(before.next_time(), 2) << "nothing was due yet";
}

// SPDX-License-Identifier: Apache-2.0
#include "cpu/particles/thread_count.h"

#include <functional>
#include <gtest/gtest.h>
#include <set>

using sluice::cpu::ThreadCount;

namespace {

/// Steps for so many seconds, with a step as long as `cost` says for the threads of the moment. Returns how many were
/// tried.
std::set<int> step_for(ThreadCount& threads, double seconds, const std::function<double(int)>& cost) {
    std::set<int> tried;
    for (double done = 0; done < seconds;) {
        const double step = cost(threads.now());
        tried.insert(threads.now());
        threads.step_took(step);
        done += step;
    }
    return tried;
}

} // namespace

TEST(ThreadCount, StaysWhenItIsFixed) {
    ThreadCount threads(2);
    step_for(threads, 100, [](int n) { return 1e-3 * n; });
    EXPECT_EQ(threads.now(), 2);
}

TEST(ThreadCount, TakesOneThreadForFewParticlesOnABusyMachine) {
    ThreadCount threads = ThreadCount::as_pays(2);
    EXPECT_EQ(threads.now(), 2);
    step_for(threads, 0.5, [](int n) { return n == 1 ? 1 / 2870.0 : 1 / 590.0; });
    EXPECT_EQ(threads.now(), 1);
}

TEST(ThreadCount, KeepsAllThreadsThatPay) {
    ThreadCount threads = ThreadCount::as_pays(16);
    const auto tried = step_for(threads, 30, [](int n) { return 5e-3 / n; });
    EXPECT_EQ(threads.now(), 16);
    EXPECT_EQ(tried, (std::set<int>{8, 16})) << "half of them, and no others";
}

TEST(ThreadCount, FindsTheBestBetween) {
    ThreadCount threads = ThreadCount::as_pays(64);
    step_for(threads, 10, [](int n) { return 1e-3 * (8.0 / n + n / 8.0); });
    EXPECT_EQ(threads.now(), 8);
}

TEST(ThreadCount, LooksAgainWhenTheMachineHasBecomeQuietOrBusy) {
    const auto busy = [](int n) { return n == 1 ? 0.4e-3 : 2e-3; };
    const auto quiet = [](int n) { return 0.4e-3 / n; };
    ThreadCount threads = ThreadCount::as_pays(2);
    step_for(threads, 3, busy);
    EXPECT_EQ(threads.now(), 1);
    step_for(threads, 40, quiet);
    EXPECT_EQ(threads.now(), 2);
    step_for(threads, 80, busy);
    EXPECT_EQ(threads.now(), 1);
}

TEST(ThreadCount, TriesNothingWhereAStepIsLong) {
    ThreadCount threads = ThreadCount::as_pays(8);
    const auto tried = step_for(threads, 300, [](int) { return 0.5; });
    EXPECT_EQ(tried, std::set<int>{8});
}

TEST(ThreadCount, TrialsCostLittle) {
    ThreadCount threads = ThreadCount::as_pays(2);
    double with_one = 0;
    step_for(threads, 300, [&](int n) {
        const double step = n == 1 ? 1e-2 : 1e-3;
        if (n == 1) with_one += step;
        return step;
    });
    EXPECT_LT(with_one, 0.01 * 300);
}

// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.h"
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <thread>

using namespace sluice;

TEST(Interrupts, WritingIsNotEndedBySignals) {
    ignore_write_signals();
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
        struct sigaction now {};
        ASSERT_EQ(sigaction(signal, nullptr, &now), 0);
        EXPECT_EQ(now.sa_handler, SIG_IGN) << signal;
    }
}

TEST(Interrupts, AskTheRunToStop) {
    std::atomic<int>& requested = catch_interrupts();
    for (const int signal : {SIGTERM, SIGTERM, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2}) { // timeout(1) repeats its own
        requested = 0;
        std::raise(signal);
        EXPECT_EQ(requested, signal);
    }
    std::signal(SIGTERM, SIG_DFL);
    requested = 0;
}

TEST(Interrupts, TheSecondOneEndsTheProgramUnlessItFollowsAtOnce) {
    EXPECT_EXIT(
        {
            catch_interrupts();
            for (int k = 0; k < 2; ++k) std::raise(SIGTERM);
            std::this_thread::sleep_for(std::chrono::milliseconds(1100));
            std::raise(SIGTERM);
        },
        testing::KilledBySignal(SIGTERM), "");
}

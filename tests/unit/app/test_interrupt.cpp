// SPDX-License-Identifier: Apache-2.0
#include "app/interrupt.h"
#include <csignal>
#include <gtest/gtest.h>

using namespace sluice;

TEST(Interrupts, WritingIsNotEndedBySignals) {
    ignore_write_signals();
    for (const int signal : {SIGPIPE, SIGXFSZ}) {
        struct sigaction now {};
        ASSERT_EQ(sigaction(signal, nullptr, &now), 0);
        EXPECT_EQ(now.sa_handler, SIG_IGN) << signal;
    }
}

TEST(Interrupts, AskTheRunToStopAndTheSecondOneEndsIt) {
    std::atomic<int>& requested = catch_interrupts();
    for (const int signal : {SIGTERM, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2}) {
        requested = 0;
        std::raise(signal);
        EXPECT_EQ(requested, signal);
        struct sigaction now {};
        sigaction(signal, nullptr, &now);
        EXPECT_EQ(now.sa_handler == SIG_DFL, signal == SIGTERM) << signal; // batch systems repeat the others
    }
    std::signal(SIGTERM, SIG_DFL);
    requested = 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "bench/occupancy.h"
#include <gtest/gtest.h>

using namespace sluice::bench;

// The two numbers that the paper prints for a kernel of 35 registers (section 4).
TEST(Occupancy, ThePapersExample) {
    const Multiprocessor& sm = multiprocessor(13);
    EXPECT_DOUBLE_EQ(occupancy(sm, 35, 256), 0.25);
    EXPECT_DOUBLE_EQ(occupancy(sm, 35, 448), 0.4375);
    EXPECT_GE(best_block(sm, 35).occupancy, 0.4375);
}

TEST(Occupancy, TodaysCards) {
    const Multiprocessor& sm = multiprocessor(90);
    EXPECT_DOUBLE_EQ(occupancy(sm, 32, 256), 1);
    EXPECT_DOUBLE_EQ(occupancy(sm, 64, 256), 0.5);
    EXPECT_DOUBLE_EQ(occupancy(sm, 128, 256), 0.25);
}

TEST(Occupancy, ChosenIsNeverBelowFixed) {
    for (const int capability : {13, 20, 75, 86, 90, 120}) {
        const Multiprocessor& sm = multiprocessor(capability);
        double last = 1;
        for (int registers = 8; registers <= sm.registers_per_thread; ++registers) {
            const double best = best_block(sm, registers).occupancy;
            EXPECT_GE(best, occupancy(sm, registers, 256));
            EXPECT_LE(best, last) << "more registers cannot help";
            last = best;
        }
    }
}

TEST(Occupancy, WhatCannotRunIsZero) {
    const Multiprocessor& sm = multiprocessor(20);
    EXPECT_EQ(occupancy(sm, 64, 256), 0);
    EXPECT_EQ(occupancy(sm, 32, 2048), 0);
    EXPECT_EQ(occupancy(sm, 0, 256), 0);
}

TEST(Occupancy, UnknownCardTakesTheNewestOlderOne) { EXPECT_EQ(multiprocessor(91).capability, 90); }

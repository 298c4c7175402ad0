// SPDX-License-Identifier: Apache-2.0
#include "core/numbers.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

TEST(ShortNumber, HasThreeDigitsAndAUnit) {
    EXPECT_EQ(short_number(0), "0");
    EXPECT_EQ(short_number(0.5), "0.5");
    EXPECT_EQ(short_number(-1500), "-1.5 k");
    EXPECT_EQ(short_number(999999), "1 M");
    EXPECT_EQ(short_number(1.41e11), "141 G");
    EXPECT_EQ(short_number(std::nan("")), "–");
}

TEST(BytesText, HasADecimalUnit) {
    EXPECT_EQ(bytes_text(12), "12 B");
    EXPECT_EQ(bytes_text(999), "999 B");
    EXPECT_EQ(bytes_text(999.9), "1 kB");
    EXPECT_EQ(bytes_text(6.25e6), "6.25 MB");
    EXPECT_EQ(bytes_text(141e9), "141 GB");
}

TEST(BytesTexts, TellWhatIsNeededFromWhatThereIs) {
    EXPECT_EQ(bytes_texts(6.25e6, 5.6e6).needed, "6.25 MB");
    EXPECT_EQ(bytes_texts(6.25e6, 5.6e6).available, "5.6 MB");
    const BytesTexts near = bytes_texts(6254736.5, 6254735.5); // both are 6.25 MB
    EXPECT_EQ(near.needed, "6254737 B");
    EXPECT_EQ(near.available, "6254735 B");
}

TEST(Counted, KnowsOneFromMany) {
    EXPECT_EQ(counted(1, "thread"), "1 thread");
    EXPECT_EQ(counted(0, "thread"), "0 threads");
    EXPECT_EQ(counted(16, "thread"), "16 threads");
}

// SPDX-License-Identifier: Apache-2.0
#include "core/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

using namespace sluice;

TEST(Terminal, LinesAreBrokenAtBlanksAndIndented) {
    EXPECT_EQ(wrapped("one two three four", 9, 2), "one two\n  three\n  four");
    EXPECT_EQ(wrapped("one two", 7, 2), "one two"); // just fits
    EXPECT_EQ(wrapped("one two", 6, 2), "one\n  two");
    EXPECT_EQ(wrapped("", 6, 2), "");
    EXPECT_EQ(wrapped("a\n\nb\n", 6, 2), "a\n\nb\n");
}

TEST(Terminal, ATableKeepsItsColumns) {
    EXPECT_EQ(wrapped("  word   what it means here", 20, 9), "  word   what it\n         means here");
}

TEST(Terminal, WordsStayWhole) {
    EXPECT_EQ(wrapped("a /a/very/long/path b", 8, 2), "a\n  /a/very/long/path\n  b");
    EXPECT_EQ(wrapped("/a/very/long/path", 8, 2), "/a/very/long/path");
}

TEST(Terminal, CharactersCountAndNotBytes) {
    EXPECT_EQ(columns_of("ρ0 … α"), 6u);
    EXPECT_EQ(wrapped("ρρρ ρρρ", 7, 0), "ρρρ ρρρ");
}

TEST(Terminal, EveryLineEndsInTimeWhateverTheWidth) {
    const std::string text = "  one   two, three and four;  five\n six seven eight nine ten eleven";
    for (std::size_t columns = 8; columns < 60; ++columns) {
        std::istringstream lines(wrapped(text, columns, 2));
        for (std::string line; std::getline(lines, line);) EXPECT_LE(columns_of(line), columns);
    }
}

TEST(Terminal, FilesAndPipesGetMessagesAsTheyAre) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const std::string text(300, 'a');
    EXPECT_EQ(message_for(ends[1], text + " b"), text + " b");
    EXPECT_EQ(columns_behind(ends[1]), 80u);
    ::close(ends[0]);
    ::close(ends[1]);
}

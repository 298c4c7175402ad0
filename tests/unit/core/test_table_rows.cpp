// SPDX-License-Identifier: Apache-2.0
#include "core/table_rows.h"
#include <gtest/gtest.h>

using namespace sluice;

namespace {

std::string refusal(std::string_view text, const RowForm& form) {
    try {
        static_cast<void>(number_rows(text, "t.csv", form));
    } catch (const InputError& e) {
        return e.what();
    }
    return "read";
}

void expect_rows(std::string_view text, const RowForm& form, const std::vector<std::vector<double>>& expected) {
    std::vector<std::vector<double>> rows;
    for (const NumberRow& row : number_rows(text, "t.csv", form)) rows.push_back(row.values);
    EXPECT_EQ(rows, expected) << text;
}

} // namespace

TEST(TableRows, CellsAreBetweenBlanksCommasOrSemicolons) {
    for (const char* text : {"1 -2.5 3e2\n", "1,-2.5,3e2", "1;-2.5;3e2\r\n", "\t1\t-2.5\t3e2 \n", " 1 , -2.5 ,+3e2",
                             "1; -2.5 ;3e2;;\n", "1 -2.5 3e2 # metres, seconds\n", "1,-2.5 3e2"})
        expect_rows(text, {.least = 3}, {{1, -2.5, 300}});
}

TEST(TableRows, CommentsTitlesAndEmptyLinesAreNoRows) {
    expect_rows("time;x\n\n# none\n  # none\n \t\n0;1\n1;2", {.least = 2, .titles = 1}, {{0, 1}, {1, 2}});
    EXPECT_EQ(number_rows("a\n\n0 1\n", "t.csv", {.least = 2, .titles = 1})[0].where.text(), "t.csv:3");
}

TEST(TableRows, TheFirstRowMayNameTheColumns) {
    for (const char* titles :
         {"Time[s];Vel.x;Vel.y", "# m/s\n\n\"time\",\"x\",\"y\"", "time [s] x [m] y [m]", "\xef\xbb\xbft x y"})
        expect_rows(std::string(titles) + "\n0;1;2\n", {.least = 3}, {{0, 1, 2}});
    EXPECT_EQ(number_rows("t x\n0 1\n", "t.csv", {.least = 2})[0].where.text(), "t.csv:2");
    // One line, before the numbers, and nothing in it that may be a number.
    EXPECT_EQ(refusal("t x\na b\n0 1\n", {.least = 2}).find("t.csv:2: \"a\" is not a number"), 0U);
    EXPECT_EQ(refusal("0 1\nt x\n", {.least = 2}).find("t.csv:2: \"t\" is not a number"), 0U);
    for (const char* row : {"t 0", "t -x", "t +x", "t .x", "t 0.5x"})
        EXPECT_EQ(refusal(row, {.least = 2}).find("t.csv:1: \"t\" is not a number"), 0U) << row;
    EXPECT_EQ(refusal("none none\n", {.least = 2}).find("t.csv:1: \"none\" is not a number"), 0U);
    for (const char* row : {"nan inf", "x NaN", "t infinity", "none x"})
        EXPECT_NE(refusal(row, {.least = 2}), "read") << row;
    EXPECT_EQ(refusal("a\nt x\n0 1\n", {.least = 2, .titles = 1}).find("t.csv:2: \"t\" is not a number"), 0U);
}

TEST(TableRows, TheMarkOfUtf8IsNoNumber) {
    expect_rows("\xef\xbb\xbf"
                "0 0\n1 2\n",
                {.least = 2}, {{0, 0}, {1, 2}});
    expect_rows("\xef\xbb\xbf# time, x\n1 2\n", {.least = 2}, {{1, 2}});
}

TEST(TableRows, ADecimalCommaIsNeverTwoNumbers) {
    const std::string where = "t.csv:1: \"";
    EXPECT_EQ(refusal("0,5 0,00\n", {.least = 2}).find(where + "0,5\" has a decimal comma"), 0U);
    EXPECT_EQ(refusal("0;0,01\n", {.least = 2}).find(where + "0,01\" has a decimal comma"), 0U);
    EXPECT_EQ(refusal("0,0;0,5;0,0;0,0\n", {.least = 4}).find(where + "0,0\" has"), 0U);
    EXPECT_EQ(refusal("0\t-1,5e-3\n", {.least = 2}).find(where + "-1,5e-3\" has"), 0U);
    EXPECT_EQ(refusal("1 2,3 4", {.least = 1, .most = RowForm::any}).find(where + "2,3\" has"), 0U);
    // Between commas nothing tells it from two numbers but their count.
    EXPECT_NE(refusal("0,5,0,02\n", {.least = 2}).find("the row has 4 numbers where the case asks for 2: a comma"),
              std::string::npos);
    expect_rows("0,5\n1,7\n", {.least = 2}, {{0, 5}, {1, 7}});
}

TEST(TableRows, RowsOfOtherLengthsAreRefused) {
    EXPECT_EQ(refusal("0 0\n0.5 0.02 99\n", {.least = 2}),
              "t.csv:2: the row has 3 numbers where the case asks for 2: take the others out, or put a # before them");
    EXPECT_EQ(refusal("0\n", {.least = 2}), "t.csv:1: the row has 1 numbers where the case asks for 2");
    expect_rows("0\n1 2 3\n", {.least = 1, .most = RowForm::any}, {{0}, {1, 2, 3}});
}

// Numbers behind a hole would move to the column before.
TEST(TableRows, AnEmptyCellIsAMistake) {
    for (const char* text : {"0;;5;6", ";0;5;6", "0,,5,6", "0; ;5;6"})
        EXPECT_EQ(refusal(text, {.least = 3}), "t.csv:1: a cell of the row is empty: give its number") << text;
}

TEST(TableRows, WordsAndWhatIsNotFiniteAreMistakes) {
    EXPECT_NE(refusal("0 x\n", {.least = 2}).find("t.csv:1: \"x\" is not a number"), std::string::npos);
    EXPECT_NE(refusal("0 none\n", {.least = 2}).find("\"none\" is not a number"), std::string::npos);
    EXPECT_EQ(refusal("0 nan\n", {.least = 2}), "t.csv:1: a number is not finite");
    EXPECT_EQ(refusal("0 -inf\n", {.least = 2}), "t.csv:1: a number is not finite");
    EXPECT_EQ(refusal("0 1e999\n", {.least = 2}).find("t.csv:1: \"1e999\" is not a number"), 0U);
    constexpr double none = std::numeric_limits<double>::infinity();
    expect_rows("0 none\n", {.least = 2, .none = none}, {{0, none}});
}

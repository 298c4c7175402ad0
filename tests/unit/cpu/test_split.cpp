// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "cpu/subdomains/split.h"
#include "temporary_folder.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::cpu;

namespace {

std::string refusal(const std::string& text) {
    try {
        parse_split(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

class SplitFile : public testing::Test {
protected:
    std::filesystem::path path() const { return folder_.path() / "map.txt"; }
    std::string write(const std::string& text) const {
        std::ofstream(path()) << text;
        return "file:" + path().string();
    }
    std::string where(int line) const { return path().string() + ":" + std::to_string(line) + ": "; }

private:
    TemporaryFolder folder_;
};

} // namespace

TEST(Split, IsReadFromItsText) {
    EXPECT_EQ(parse_split("auto").kind, Split::Kind::automatic);
    EXPECT_EQ(parse_split("bisection").kind, Split::Kind::bisection);
    for (int axis = 0; axis < 3; ++axis) {
        const Split split = parse_split(std::string(1, "xyz"[axis]));
        EXPECT_EQ(split.kind, Split::Kind::slabs);
        EXPECT_EQ(split.axis, axis);
    }
    const Split grid = parse_split("grid:12x3");
    EXPECT_EQ(grid.kind, Split::Kind::grid);
    EXPECT_EQ(grid.parts, (std::array<int, 2>{12, 3}));
    EXPECT_EQ(grid.text, "grid:12x3");
}

TEST(Split, OfUnknownWordsIsRefused) {
    for (const char* text : {"", "w", "xy", "blocks", "Grid:2x2"})
        EXPECT_EQ(refusal(text), "--split: there is no '" + std::string(text) +
                                     "': take one of auto, x, y, z, bisection, grid:AxB, file:PATH");
    for (const char* text : {"grid:", "grid:4", "grid:0x2", "grid:2x", "grid:2x2x2", "grid:-1x2", "grid:2x1025"})
        EXPECT_EQ(refusal(text), "--split: grid:AxB is wanted, parts across the longest side and across the other one, "
                                 "1 to 1024 (" +
                                     std::string(text) + " is given), e.g. grid:4x2");
}

TEST_F(SplitFile, IsATableSeenFromTheSide) {
    const Split split = parse_split(write("# a corner of its own\n z  y # axes\n\n0 0 1\n2 2 2 # below\n"));
    EXPECT_EQ(split.kind, Split::Kind::table);
    EXPECT_EQ(split.table.axes, (std::array<int, 2>{2, 1}));
    EXPECT_EQ(split.table.columns, 3u);
    EXPECT_EQ(split.table.lines(), 2u);
    EXPECT_EQ(split.table.ranks, (std::vector<RankNumber>{2, 2, 2, 0, 0, 1}));
}

TEST_F(SplitFile, ThatIsWrongIsRefusedWithItsLine) {
    EXPECT_EQ(refusal("file:/nowhere/map.txt"), "--split file:/nowhere/map.txt: cannot be read");
    const std::string axes = "the names of two axes are wanted, e.g. \"x z\", before the lines of ranks";
    for (const char* line : {"0 1", "x x", "x", "x y z"})
        EXPECT_EQ(refusal(write("\n" + std::string(line) + "\n0 1\n")), where(2) + axes);
    EXPECT_EQ(refusal(write("x z\n0 1\n0 1 1\n")),
              where(3) + "3 ranks, and the lines before have 2: make all lines as long");
    for (const char* word : {"-1", "1024", "a", "1.5"})
        EXPECT_EQ(refusal(write("x z\n0 " + std::string(word) + "\n")),
                  where(2) + "the number of a rank is wanted, 0 to 1023 (" + word + " is given)");
    EXPECT_NE(refusal(write("x z\n")).find("has no ranks"), std::string::npos);
    EXPECT_NE(refusal(write("")).find("has no ranks"), std::string::npos);
}

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sluice::cpu {

/// Number of a rank, in tables.
using RankNumber = std::uint16_t;

/// Ranks drawn on a side of the domain, in fields of the same size that cover all of it.
struct RankTable {
    std::array<int, 2> axes{0, 2}; ///< of the domain (0, 1, 2): along a line of fields, from line to line
    std::uint32_t columns = 0;     ///< fields of a line
    std::vector<RankNumber> ranks; ///< of each field, line by line, from the lower corner of the domain on

    std::uint32_t lines() const { return columns == 0 ? 0 : static_cast<std::uint32_t>(ranks.size()) / columns; }
};

/// How the rows of cells of a run are split between the ranks of the CPU. All but a table are cut anew during the run
/// where that balances the work better.
struct Split {
    enum class Kind : std::uint8_t {
        automatic, ///< slabs across the longest side, or bisection where those would be too thin
        slabs,     ///< across an axis
        grid,      ///< parts across the longest side, each cut again across the other one
        bisection, ///< halves of halves, each cut across its longer side
        table      ///< as drawn
    };
    Kind kind = Kind::automatic;
    int axis = 0;                   ///< of slabs
    std::array<int, 2> parts{1, 1}; ///< of a grid
    RankTable table;
    std::string text = "auto"; ///< as the command line has it
};

/// The split that a text names: auto, x, y, z, grid:AxB, bisection, or file:PATH, which is read. Throws InputError.
Split parse_split(const std::string& text);

/// A table of ranks in a file: a line with the names of two axes, then lines of the numbers of ranks, as many in each;
/// the first of a line is at the lower end of the first axis, the last line at the lower end of the second, as in a
/// drawing. What follows a # is for the reader. Throws InputError.
RankTable read_rank_table(const std::filesystem::path& path);

} // namespace sluice::cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include <limits>
#include <string>
#include <string_view>
#include <vector>

// Tables of numbers that users write, read in one way wherever they are: motions, velocities, forces, heights, points.

namespace sluice {

/// The cells of a line: between semicolons or commas, with blanks around them, or between blanks alone. What follows a
/// # is a comment; empty cells at the end are left out. Throws InputError, without a place, for an empty cell before
/// others, and for a comma between digits in a row whose cells something else separates: it is a decimal comma, which
/// cannot be told from two cells.
std::vector<std::string_view> table_cells(std::string_view line);

/// The number in a cell with blanks around it, finite or not. Throws InputError, without a place, for anything else.
double cell_number(std::string_view cell);

/// A row of a table of numbers.
struct NumberRow {
    SourceLocation where;
    std::vector<double> values;
};

/// What the rows of a table hold.
struct RowForm {
    static constexpr int any = std::numeric_limits<int>::max();

    int least = 1;    ///< numbers of a row
    int most = least; ///< likewise; `any`: the rows may be as long as they like
    int titles = 0;   ///< first lines that are no rows; 0: one that names columns may be
    double none = std::numeric_limits<double>::quiet_NaN(); ///< what the word "none" counts as; NaN: it is a mistake
};

/// The rows of a table, without lines that have no cells, and without a first one that names columns. Throws InputError
/// with the line in `file` for a row that is not of the form, or has a number that is not finite.
std::vector<NumberRow> number_rows(std::string_view text, const std::string& file, const RowForm& form);

} // namespace sluice

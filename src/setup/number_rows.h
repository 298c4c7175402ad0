// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace sluice {

/// A row of numbers of a text file.
struct NumberRow {
    SourceLocation where;
    std::vector<double> values;
};

/// The rows of a file whose numbers are separated by blanks, commas or semicolons; rows that are empty or begin with #
/// are left out, and so are the `titles` lines at its begin. `none`: what the word "none" counts as; NaN: it is a
/// mistake like any word. Throws InputError for a row of fewer than `fields` numbers or with one that is not finite;
/// `where`: what names the file.
std::vector<NumberRow> read_number_rows(const std::filesystem::path& file, const SourceLocation& where, int fields,
                                        double none = std::numeric_limits<double>::quiet_NaN(), int titles = 0);

/// The first lines of a text file, empty ones where it is shorter. Throws InputError.
std::vector<std::string> first_lines(const std::filesystem::path& file, const SourceLocation& where, int count);

} // namespace sluice

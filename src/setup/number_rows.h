// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/table_rows.h"
#include <filesystem>
#include <string>
#include <vector>

namespace sluice {

/// The rows of a file's table (core/table_rows.h). Throws InputError; `where`: what names the file.
std::vector<NumberRow> read_number_rows(const std::filesystem::path& file, const SourceLocation& where,
                                        const RowForm& form);

/// The first lines of a text file, empty ones where it is shorter. Throws InputError.
std::vector<std::string> first_lines(const std::filesystem::path& file, const SourceLocation& where, int count);

} // namespace sluice

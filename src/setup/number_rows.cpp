// SPDX-License-Identifier: Apache-2.0
#include "setup/number_rows.h"

#include "geometry/byte_reader.h"
#include "geometry/mesh_file.h"
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

/// The numbers of a row, separated by blanks, commas or semicolons; none of a row that holds a comment or nothing.
std::vector<double> numbers_of(std::string row, double none) {
    std::vector<double> numbers;
    const std::size_t first = row.find_first_not_of(" \t");
    if (first == std::string::npos || row[first] == '#') return numbers;
    for (char& c : row)
        if (c == ',' || c == ';') c = ' ';
    row.erase(row.find_last_not_of(" \t") + 1);
    for (ByteReader words(row); !words.at_end();) {
        ByteReader ahead = words;
        if (!std::isnan(none) && ahead.word() == "none") {
            numbers.push_back(none);
            words = ahead;
        } else
            numbers.push_back(words.number());
    }
    return numbers;
}

} // namespace

std::vector<NumberRow> read_number_rows(const std::filesystem::path& file, const SourceLocation& where, int fields,
                                        double none, int titles) {
    const std::string text = read_data_text(file, where);
    std::vector<NumberRow> rows;
    ByteReader in(text);
    for (int line = 1; !in.at_end(); ++line) {
        if (line <= titles) {
            in.line();
            continue;
        }
        NumberRow row{SourceLocation{file.string(), line}, {}};
        const auto fail = [&](const std::string& what) { throw InputError(row.where, what); };
        try {
            row.values = numbers_of(std::string(in.line()), none);
        } catch (const InputError& e) {
            fail(fmt::format("{}: a row is {} numbers; begin comments with #", e.what(), fields));
        }
        if (row.values.empty()) continue;
        if (row.values.size() < static_cast<std::size_t>(fields))
            fail(fmt::format("the row has {} numbers where the case asks for {}", row.values.size(), fields));
        for (const double number : row.values)
            if (!std::isfinite(number) && number != none) fail("a number is not finite");
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<std::string> first_lines(const std::filesystem::path& file, const SourceLocation& where, int count) {
    const std::string text = read_data_text(file, where);
    ByteReader in(text);
    std::vector<std::string> lines;
    for (int k = 0; k < count; ++k) lines.emplace_back(in.line());
    return lines;
}

} // namespace sluice

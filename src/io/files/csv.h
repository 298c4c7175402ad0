// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/files/appended_file.h"
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace sluice {

/// One value of a row. Numbers are written with the fewest digits that read back as the same number.
using CsvValue = std::variant<double, float, std::int64_t, std::string>;

/// A row of measured values with the digits that mean something: times as they are, lengths ("… [m]") to a nanometre,
/// all else in single precision, which the values of the fluid have.
std::vector<CsvValue> in_measured_digits(std::vector<CsvValue> row, const std::vector<std::string>& columns);

/// A table as text: comment lines ("# …"), one header line with the unit in each name ("time [s]"), then rows.
/// Comma between the columns, point in the numbers; text with a comma, quote or line break is quoted.
/// Every row is written at once, so that a killed run keeps the rows before. Failures throw RunError.
class CsvWriter {
public:
    /// Starts the file anew, or, with `append`, continues one that is there.
    CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& columns,
              const std::vector<std::string>& comments = {}, bool append = false);

    void write_row(const std::vector<CsvValue>& values);
    /// Rows of the table, with those that were there when it was opened.
    std::int64_t rows() const { return rows_; }
    /// The same with `in_measured_digits`.
    void write_measured(const std::vector<CsvValue>& values) { write_row(in_measured_digits(values, columns_)); }
    const std::filesystem::path& path() const { return file_.path(); }
    /// Throws RunError if the table was removed or replaced meanwhile.
    void require_in_place() { file_.require_in_place(); }

private:
    void write_line(const std::string& line);

    AppendedFile file_;
    std::vector<std::string> columns_;
    std::int64_t rows_ = 0;
};

/// The number in a cell, NaN where there is none.
double csv_number(const std::string& cell);

/// The cells of one line, without their quotes.
std::vector<std::string> split_csv_line(const std::string& line);

/// A table that was read: cells as text.
struct CsvTable {
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;

    /// The numbers of a column, NaN where a cell is none; empty if there is no such column.
    std::vector<double> numbers(const std::string& column) const;
};

/// Reads a table that CsvWriter wrote; without the file, an empty one. A last row cut short by a kill is left out.
CsvTable read_csv(const std::filesystem::path& path);

/// Keeps of a table the rows whose number in the column named `column` is at most `limit`, with comments and header: a
/// run that resumes from a checkpoint writes the later rows again. A last row cut short by a kill goes too, and all of
/// a table that ends before its header does. Does nothing without the file. Throws InputError (no such column, …).
void keep_csv_rows(const std::filesystem::path& path, const std::string& column, double limit);

/// How many rows `keep_csv_rows` would keep; 0 without the file. Throws likewise.
std::int64_t count_csv_rows(const std::filesystem::path& path, const std::string& column, double limit);

} // namespace sluice

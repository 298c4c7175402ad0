// SPDX-License-Identifier: Apache-2.0
#include "io/files/csv.h"
#include "core/error.h"
#include "core/input_file.h"
#include "io/files/file.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <limits>

namespace sluice {
namespace {

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string result(1, '"');
    for (const char c : text) {
        if (c == '"') result += '"';
        result += c;
    }
    return result + '"';
}

struct AsText {
    std::string operator()(const std::string& text) const { return quoted(text); }
    std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(float value) const { return fmt::format("{}", value); }
};

/// NaN (which no limit excludes) where there is no number.
double number_at(const std::string& line, std::ptrdiff_t place) {
    const std::vector<std::string> cells = split_csv_line(line);
    if (place >= std::ssize(cells)) return std::nan("");
    return csv_number(cells[static_cast<std::size_t>(place)]);
}

} // namespace

std::vector<CsvValue> in_measured_digits(std::vector<CsvValue> row, const std::vector<std::string>& columns) {
    constexpr double per_metre = 1e9;
    for (std::size_t k = 0; k < row.size() && k < columns.size(); ++k) {
        const auto* number = std::get_if<double>(&row[k]);
        if (!number || columns[k] == "time [s]") continue;
        if (columns[k].ends_with(" [m]"))
            row[k] = std::round(per_metre * *number) / per_metre;
        else
            row[k] = static_cast<float>(*number);
    }
    return row;
}

double csv_number(const std::string& cell) {
    double value = std::nan("");
    std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return value;
}

std::vector<std::string> split_csv_line(const std::string& line) {
    std::vector<std::string> cells(1);
    bool inside_quotes = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
        const bool doubled = line[k] == '"' && inside_quotes && k + 1 < line.size() && line[k + 1] == '"';
        if (doubled)
            cells.back() += line[++k];
        else if (line[k] == '"')
            inside_quotes = !inside_quotes;
        else if (line[k] == ',' && !inside_quotes)
            cells.emplace_back();
        else
            cells.back() += line[k];
    }
    return cells;
}

CsvTable read_csv(const std::filesystem::path& path) {
    CsvTable table;
    std::ifstream file = open_input(path);
    for (std::string line; std::getline(file, line) && !file.eof();) {
        if (line.starts_with('#')) continue;
        std::vector<std::string> cells = split_csv_line(line);
        if (table.columns.empty())
            table.columns = std::move(cells);
        else if (cells.size() == table.columns.size())
            table.rows.push_back(std::move(cells));
    }
    return table;
}

std::vector<double> CsvTable::numbers(const std::string& column) const {
    std::vector<double> values;
    const auto place = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), column) - columns.begin());
    if (place == columns.size()) return values;
    for (const auto& row : rows) values.push_back(csv_number(row[place]));
    return values;
}

namespace {

/// The lines of a table with the rows whose number in a column is at most a limit, and how many rows these are.
struct KeptLines {
    std::string text;
    std::int64_t rows = 0;
    bool has_header = false;
};

KeptLines kept_lines(std::istream& file, const std::filesystem::path& path, const std::string& column, double limit) {
    KeptLines kept;
    std::ptrdiff_t place = -1;
    for (std::string line; std::getline(file, line) && !file.eof();) { // no line end: cut short
        const bool is_comment = line.starts_with('#');
        if (!is_comment && !kept.has_header) {
            const std::vector<std::string> names = split_csv_line(line);
            place = std::find(names.begin(), names.end(), column) - names.begin();
            if (place == std::ssize(names))
                throw InputError(
                    fmt::format("{}: its first lines were changed, there is no column \"{}\": restore them, "
                                "or remove the file and go on with --redo-gap",
                                path.string(), column));
            kept.has_header = true;
        } else if (!is_comment) {
            if (number_at(line, place) > limit) continue;
            ++kept.rows;
        }
        kept.text += line + '\n';
    }
    return kept;
}

} // namespace

void keep_csv_rows(const std::filesystem::path& path, const std::string& column, double limit) {
    std::ifstream file = open_input(path);
    if (!file) return;
    const KeptLines kept = kept_lines(file, path, column, limit);
    file.close();
    write_file_atomically(path, kept.has_header ? kept.text : std::string());
}

std::int64_t count_csv_rows(const std::filesystem::path& path, const std::string& column, double limit) {
    std::ifstream file = open_input(path);
    if (!file) return 0;
    return kept_lines(file, path, column, limit).rows;
}

namespace {
bool has_content(const std::filesystem::path& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    return !error && size > 0;
}

/// Makes the folder for a file.
const std::filesystem::path& placed(const std::filesystem::path& path) {
    if (path.has_parent_path()) make_folder(path.parent_path());
    return path;
}
} // namespace

CsvWriter::CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& columns,
                     const std::vector<std::string>& comments, bool append)
    : file_(placed(path), append), columns_(columns) {
    if (append && has_content(path)) {
        rows_ = count_csv_rows(path, columns.front(), std::numeric_limits<double>::infinity());
        return;
    }
    for (const std::string& comment : comments) write_line(fmt::format("# {}", comment));
    std::string header;
    for (const std::string& column : columns) header.append(header.empty() ? "" : ",").append(quoted(column));
    write_line(header);
}

void CsvWriter::write_row(const std::vector<CsvValue>& values) {
    if (values.size() != columns_.size())
        throw RunError(fmt::format("{}: a row of {} values in a table of {} columns", file_.path().string(),
                                   values.size(), columns_.size()));
    std::string line;
    for (std::size_t k = 0; k < values.size(); ++k)
        line.append(k == 0 ? "" : ",").append(std::visit(AsText{}, values[k]));
    write_line(line);
    ++rows_;
}

void CsvWriter::write_line(const std::string& line) { file_.write(line + '\n'); }

} // namespace sluice

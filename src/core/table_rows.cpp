// SPDX-License-Identifier: Apache-2.0
#include "core/table_rows.h"

#include "core/text.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sluice {

namespace {

constexpr std::string_view blanks = " \t\r", marks = ",;";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// A comma with a digit on either side, npos if there is none.
std::size_t comma_between_digits(std::string_view line) {
    for (std::size_t k = 1; k + 1 < line.size(); ++k)
        if (line[k] == ',' && is_digit(line[k - 1]) && is_digit(line[k + 1])) return k;
    return std::string_view::npos;
}

/// Whether something else than commas separates cells: a semicolon, or blanks that are not beside a comma.
bool is_separated_otherwise(std::string_view line) {
    if (line.find(';') != std::string_view::npos) return true;
    for (std::size_t k = line.find_first_of(blanks); k != std::string_view::npos; k = line.find_first_of(blanks, k)) {
        const std::size_t next = line.find_first_not_of(blanks, k);
        if (line[k - 1] != ',' && line[next] != ',') return true;
        k = next;
    }
    return false;
}

void refuse_decimal_comma(std::string_view line) {
    const std::size_t comma = comma_between_digits(line);
    if (comma == std::string_view::npos || !is_separated_otherwise(line)) return;
    const auto ends_cell = [](char c) { return blanks.find(c) != std::string_view::npos || c == ';'; };
    std::size_t first = comma, end = comma;
    while (first > 0 && !ends_cell(line[first - 1])) --first;
    while (end < line.size() && !ends_cell(line[end])) ++end;
    throw InputError(fmt::format("\"{}\" has a decimal comma, or is two numbers between other separators than the rest "
                                 "of the row: write numbers with a point, as 0.5, and one separator throughout",
                                 line.substr(first, std::min<std::size_t>(end - first, 40))));
}

std::string_view without_comment(std::string_view line) { return trim(line.substr(0, line.find('#'))); }

std::vector<double> numbers_of(std::string_view line, const RowForm& form) {
    std::vector<double> numbers;
    for (const std::string_view cell : table_cells(line)) try {
            numbers.push_back(cell == "none" && !std::isnan(form.none) ? form.none : cell_number(cell));
        } catch (const InputError& e) {
            throw InputError(fmt::format("{}: a row is numbers; begin comments with #", e.what()));
        }
    return numbers;
}

/// Whether a cell begins as a number does, or is one of the words that stand for one.
bool is_like_a_number(std::string_view cell) {
    const char first = cell.front();
    if (is_digit(first) || first == '+' || first == '-' || first == '.' || cell == "none") return true;
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value); // nan, inf
    return error == std::errc{} && end == cell.data() + cell.size();
}

/// Whether a line names the columns of a table.
bool is_line_of_titles(std::string_view line) {
    const std::vector<std::string_view> cells = table_cells(line);
    return !cells.empty() && std::ranges::none_of(cells, is_like_a_number);
}

/// Throws InputError if the row is not of the form.
void check_row(const std::vector<double>& numbers, std::string_view line, const RowForm& form) {
    const auto count = static_cast<int>(numbers.size());
    const bool is_too_long = count > form.most;
    if (count < form.least || is_too_long) {
        const bool has_comma = is_too_long && comma_between_digits(line) != std::string_view::npos;
        throw InputError(fmt::format("the row has {} numbers where the case asks for {}{}", count,
                                     is_too_long ? form.most : form.least,
                                     has_comma     ? ": a comma parts two numbers, write 0.5 with a point"
                                     : is_too_long ? ": take the others out, or put a # before them"
                                                   : ""));
    }
    for (const double number : numbers)
        if (!std::isfinite(number) && number != form.none) throw InputError("a number is not finite");
}

} // namespace

std::vector<std::string_view> table_cells(std::string_view line) {
    line = without_comment(line);
    refuse_decimal_comma(line);
    std::vector<std::string_view> cells;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find_first_of(" \t\r,;"), line.size());
        cells.push_back(line.substr(0, end));
        line = trim(line.substr(end));
        if (line.empty() || marks.find(line.front()) == std::string_view::npos) continue;
        line = trim(line.substr(1));
    }
    while (!cells.empty() && cells.back().empty()) cells.pop_back();
    if (std::ranges::find(cells, std::string_view()) != cells.end())
        throw InputError("a cell of the row is empty: give its number");
    return cells;
}

double cell_number(std::string_view cell) {
    cell = trim(cell);
    std::string_view digits = cell;
    if (digits.starts_with('+')) digits.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
        throw InputError(
            fmt::format("\"{}\" is not a number{}", cell.substr(0, 40),
                        comma_between_digits(cell) != std::string_view::npos ? ": write it with a point, as 0.5" : ""));
    return value;
}

std::vector<NumberRow> number_rows(std::string_view text, const std::string& file, const RowForm& form) {
    text = without_byte_order_mark(text);
    std::vector<NumberRow> rows;
    bool is_first = true;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = without_comment(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (number <= form.titles || line.empty()) continue;
        NumberRow row{SourceLocation{file, number}, {}};
        const bool may_be_titles = form.titles == 0 && std::exchange(is_first, false);
        try {
            if (may_be_titles && is_line_of_titles(line)) continue;
            row.values = numbers_of(line, form);
            if (row.values.empty()) continue;
            check_row(row.values, line, form);
        } catch (const InputError& e) {
            throw InputError(row.where, e.what());
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace sluice

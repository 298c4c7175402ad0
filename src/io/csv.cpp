// SPDX-License-Identifier: Apache-2.0
#include "io/csv.h"
#include "core/error.h"
#include "io/file.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>

namespace sluice {
namespace {

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string result = "\"";
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

} // namespace

CsvWriter::CsvWriter(const std::filesystem::path& path, const std::vector<std::string>& columns,
                     const std::vector<std::string>& comments, bool append)
    : name_(path.string()), column_count_(columns.size()) {
    if (path.has_parent_path()) make_folder(path.parent_path());
    const bool continues = append && std::filesystem::exists(path) && std::filesystem::file_size(path) > 0;
    errno = 0;
    file_.open(path, continues ? std::ios::app : std::ios::trunc);
    if (!file_) throw RunError(fmt::format("{}: cannot create: {}", name_, std::strerror(errno)));
    if (continues) return;
    for (const std::string& comment : comments) write_line("# " + comment);
    std::string header;
    for (const std::string& column : columns) header += (header.empty() ? "" : ",") + quoted(column);
    write_line(header);
}

void CsvWriter::write_row(const std::vector<CsvValue>& values) {
    if (values.size() != column_count_)
        throw RunError(fmt::format("{}: a row of {} values in a table of {} columns", name_, values.size(),
                                   column_count_));
    std::string line;
    for (std::size_t k = 0; k < values.size(); ++k) line += (k == 0 ? "" : ",") + std::visit(AsText{}, values[k]);
    write_line(line);
}

void CsvWriter::write_line(const std::string& line) {
    errno = 0;
    file_ << line << '\n' << std::flush;
    if (!file_) throw RunError(fmt::format("{}: cannot write: {}", name_, std::strerror(errno)));
}

} // namespace sluice

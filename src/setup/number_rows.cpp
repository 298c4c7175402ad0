// SPDX-License-Identifier: Apache-2.0
#include "setup/number_rows.h"

#include "core/text.h"
#include "geometry/byte_reader.h"
#include "geometry/mesh_file.h"

namespace sluice {

std::vector<NumberRow> read_number_rows(const std::filesystem::path& file, const SourceLocation& where,
                                        const RowForm& form) {
    return number_rows(read_data_text(file, where), file.string(), form);
}

std::vector<std::string> first_lines(const std::filesystem::path& file, const SourceLocation& where, int count) {
    const std::string text = read_data_text(file, where);
    ByteReader in(without_byte_order_mark(text));
    std::vector<std::string> lines;
    for (int k = 0; k < count; ++k) lines.emplace_back(in.line());
    return lines;
}

} // namespace sluice

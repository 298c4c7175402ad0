// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"

#include <fmt/format.h>

namespace sluice {

std::string SourceLocation::text() const { return line > 0 ? fmt::format("{}:{}", file, line) : file; }

namespace {
std::string located(const SourceLocation& where, const std::string& what) {
    const std::string place = where.text();
    return place.empty() ? what : fmt::format("{}: {}", place, what);
}
} // namespace

InputError::InputError(const SourceLocation& where, const std::string& what)
    : std::runtime_error(located(where, what)) {}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"

namespace sluice {

std::string SourceLocation::text() const {
    return line > 0 ? file + ":" + std::to_string(line) : file;
}

namespace {
std::string located(const SourceLocation& where, const std::string& what) {
    const std::string place = where.text();
    return place.empty() ? what : place + ": " + what;
}
} // namespace

InputError::InputError(const SourceLocation& where, const std::string& what)
    : std::runtime_error(located(where, what)) {}

} // namespace sluice

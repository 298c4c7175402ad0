// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"

#include <new>

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

Outcome outcome_of(const std::exception& error) {
    if (dynamic_cast<const InputError*>(&error)) return Outcome::bad_input;
    if (const auto* run_error = dynamic_cast<const RunError*>(&error)) return run_error->outcome();
    if (dynamic_cast<const std::bad_alloc*>(&error)) return Outcome::out_of_memory;
    return Outcome::failed;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/outcome.h"
#include <stdexcept>
#include <string>

namespace sluice {

/// A place in an input file. `line` 0: the place is not a line (a command-line option, say).
struct SourceLocation {
    std::string file;
    int line = 0;

    /// "file:line", "file" without a line, "" without a file.
    std::string text() const;
};

/// The user's input cannot be used. The program prints it and exits with code 2; nothing was written.
/// Messages read "file:line: what is wrong (value), what to do".
class InputError : public std::runtime_error {
public:
    InputError(const SourceLocation& where, const std::string& what);
    explicit InputError(const std::string& what) : std::runtime_error(what) {}
};

/// The run itself failed (device, disk, memory, numerics). The program prints it and exits with the outcome's code.
class RunError : public std::runtime_error {
public:
    explicit RunError(const std::string& what, Outcome outcome = Outcome::failed)
        : std::runtime_error(what), outcome_(outcome) {}
    Outcome outcome() const { return outcome_; }

private:
    Outcome outcome_;
};

/// What an exception makes of a run.
Outcome outcome_of(const std::exception& error);

} // namespace sluice

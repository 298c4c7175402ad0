// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sluice::bench {

/// The program that measures: what it was built as, and what the user typed.
struct Program {
    std::string version, compiler, build_type, command;
};

/// What numbers were measured on, and with what.
struct Machine {
    Program program;
    std::string processor, system, gpu; ///< gpu is empty without one
    int threads = 0;                    ///< hardware threads
    double memory_bytes = 0;            ///< of the host
    double load = 0;                    ///< mean number of running processes in the last minute, before the bench began
    std::string date;                   ///< ISO 8601 UTC
};

/// The machine now.
Machine this_machine(const Program& program);

} // namespace sluice::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// Options of `sluice bench`.
struct BenchOptions {
    std::string name;                    ///< an experiment, "list" or "all"
    std::vector<std::uint64_t> sizes;    ///< particles; empty: those that suit the experiment and the budget
    std::optional<double> budget;        ///< s for the whole command; default: two minutes an experiment
    std::optional<std::string> simulate; ///< machine for which `scaling` predicts, as `machine_of` takes it
    std::filesystem::path out = "bench"; ///< folder for the results
    std::string version, compiler, build_type, command; ///< of this program, for the results
};

/// Runs the experiment, or all, and writes its files. Returns an exit code: 0, or 1 for an experiment that cannot run
/// here. InputError for a name or sizes that make no sense.
int bench_command(const BenchOptions& options);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run/backend.h"
#include "run/modes.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// What the command line says about where and how to run.
struct BackendOptions {
    int threads = 0;                   ///< 0: all
    std::optional<CpuMode> cpu_mode;   ///< empty: automatic
    std::optional<CellSize> cells;
    std::optional<std::string> simd;
};

/// The backend for a run. Throws InputError where the options ask for what is not there.
std::unique_ptr<Backend> make_backend(const RunSetup& setup, std::uint32_t particles, const BackendOptions& options);

/// Memory models of every mode of every backend in this build.
std::vector<MemoryModel> memory_models(const BackendOptions& options);

} // namespace sluice

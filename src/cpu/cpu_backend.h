// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/modes.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// How a run uses the processor. What is left open is chosen for the case and the machine, and logged.
struct CpuOptions {
    std::optional<CpuMode> mode;
    std::optional<SliceAxis> slice_axis; ///< of mode slices alone; default: the longest side of the domain
    std::optional<CellSize> cells;
    std::optional<std::string> simd; ///< name of an entry of `simd_levels()`
    int threads = 0;                 ///< of each rank; 0: all that the machine has
    std::optional<int> ranks;        ///< that share the run, of one process; one computes as several do
};

/// A set of vector instructions that the interaction is compiled for.
struct SimdLevel {
    std::string name;        ///< "off", "v2", "v3" or "v4"
    std::string description; ///< one line
    bool available = false;  ///< this build has it and this processor can run it
};

/// All levels, from the plainest to the widest.
std::vector<SimdLevel> simd_levels();

/// Backend that runs on the processor. InputError for options that this machine cannot honour.
std::unique_ptr<Backend> make_cpu_backend(const RunSetup& setup, std::uint32_t particle_count,
                                          const CpuOptions& options);

/// Memory that each mode needs with so many threads.
std::vector<MemoryModel> cpu_memory_models(int threads);

} // namespace sluice

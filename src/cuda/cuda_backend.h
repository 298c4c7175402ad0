// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run/backend.h"
#include "run/gpu_memory_plan.h"
#include "run/modes.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The GPU backend. This header needs no CUDA: the rest of the program includes it as plain C++.

namespace sluice {

/// Choices that benches compare. A run leaves them as they are: the fastest (docs/performance-gpu.md).
struct CudaOptimisations {
    bool tuned_blocks = true;   ///< off: 256 threads a block for the boundary particles, whatever the occupancy
    bool stored_ranges = false; ///< on: FastCells stores the ranges of particles per cell (400 bytes a cell more than planned)

    bool operator==(const CudaOptimisations&) const = default;
};

/// How a run uses the GPU. What is left open is chosen by the memory plan.
struct CudaOptions {
    int device = 0;
    std::optional<GpuMode> mode;
    std::optional<std::size_t> memory_limit; ///< bytes; default: what is free
    std::optional<bool> neighbour_list;      ///< on, off, or by memory
    std::optional<double> skin;              ///< of the neighbour lists, in support radii; default: adapts to the flow
    CudaOptimisations optimisations;
};

/// A GPU that the driver shows.
struct GpuDevice {
    int index = 0;
    std::string name;
    int compute_major = 0, compute_minor = 0;
    std::size_t total_memory = 0, free_memory = 0; ///< bytes
    std::string driver;                            ///< "CUDA 13.0"
};

/// All GPUs. Never throws: without one the list is empty and `why_none` says why.
std::vector<GpuDevice> list_gpus(std::string* why_none = nullptr);

/// Backend that runs wholly on a GPU. InputError for options that cannot be honoured, RunError for a device that
/// cannot be used or memory that is not there.
std::unique_ptr<Backend> make_cuda_backend(const RunSetup& setup, std::uint32_t particle_count, const CudaOptions& options);

} // namespace sluice

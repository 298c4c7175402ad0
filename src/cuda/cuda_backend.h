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

/// The optimisations of paper 000, section 4, one switch each, for the benches. A run leaves them as they are here: the fastest
/// (docs/performance-gpu.md; stored ranges no longer pay).
struct CudaOptimisations {
    bool full_gpu = true;         ///< off: only the interaction runs on the GPU, particles travel every step
    bool tuned_blocks = true;     ///< off: 256 threads a block, whatever the occupancy
    bool packed_arrays = true;    ///< off: six arrays (40 bytes a neighbour) instead of two of 16 bytes
    bool stored_ranges = false;   ///< on: ranges of particles stored per cell, instead of cut to each particle's reach
    bool separate_kernels = true; ///< off: one general kernel for F–F, F–B and B–F
    bool half_cells = true;       ///< off: cells of the support radius instead of half of it

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

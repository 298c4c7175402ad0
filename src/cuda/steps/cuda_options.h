// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/modes.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sluice {

/// How a run uses the GPU. What is left open is chosen by the memory plan.
struct CudaOptions {
    int device = 0;
    /// Several that share the run, by number; one may be named more than once. None: `device` alone. Their number
    /// changes no bit of any result.
    std::vector<int> devices;
    /// Room in the arrays of each of several, over what the state at hand takes; more is made when it is needed.
    double slots_to_spare = 0.1;
    /// Whether several read each other's memory where they can; else the driver copies.
    bool direct_copies = true;
    /// Whether several begin an interaction through lists with what sees nothing of the others, while that is copied;
    /// else afterwards with all.
    bool begins_inside = true;
    std::optional<GpuMode> mode;
    /// Taken if it fits and `mode` is open: a run that goes on keeps the version it began in, and with it its bits.
    std::optional<GpuMode> mode_before;
    std::optional<std::size_t> memory_limit; ///< bytes; default: what is free
    std::optional<bool> neighbour_list;      ///< on, off, or by memory
    std::optional<double> skin;              ///< of the neighbour lists, in support radii; default: adapts to the flow
    /// Off: every step is enqueued kernel by kernel, and the host asks whether lists must be renewed. Slower, the same
    /// numbers: for tools that cannot follow graphs. The environment variable SLUICE_CUDA_GRAPHS=off does the same.
    bool graphs = true;
};

/// Fewer particles a GPU do not pay where several share a run: another GPU takes less off a step then than it adds
/// (docs/performance-gpu.md, "Several GPUs").
inline constexpr std::uint32_t least_particles_a_gpu = 200000;
/// How many of so many alike GPUs a run should take; one at least.
inline int gpus_that_pay(std::uint64_t particles, int alike) {
    return static_cast<int>(
        std::clamp<std::uint64_t>(particles / least_particles_a_gpu, 1, std::uint64_t(std::max(alike, 1))));
}

} // namespace sluice

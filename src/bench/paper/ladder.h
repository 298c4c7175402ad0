// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/modes.h"
#include "core/error.h"
#include "cuda/device/kernel_resources.h"
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

// The GPU versions of the paper (Domínguez et al. 2013), which the benches compare with ours: its ladder of
// optimisations, and its partial version, which has the interaction alone on the GPU. No run uses them. This header
// needs no CUDA.

namespace sluice::paper {

/// The paper's optimisations B to E. A is the GPU backend itself (against the partial version), F a mode with cells of
/// h.
struct Optimisations {
    bool tuned_blocks = true;  ///< B: block size by occupancy; off: 256 threads
    bool packed_arrays = true; ///< C: two arrays of 16 bytes; off: the paper's six, 40 bytes a particle
    bool stored_ranges = true; ///< D: ranges of particles stored per cell; off: cell by cell
    bool specific_kernels =
        true; ///< E: one kernel for F–F and F–B, one for B–F; off: one for all, launched three times

    bool operator==(const Optimisations&) const = default;
};
inline constexpr Optimisations no_optimisations{false, false, false, false};

/// A rung of the paper's ladder (its Table 5): this optimisation and all before it. The first is the full GPU alone.
struct Rung {
    std::string_view name;
    GpuMode mode;
    Optimisations optimisations;
};
inline constexpr std::array<Rung, 6> ladder{{
    {"A: full GPU", GpuMode::slow_full, no_optimisations},
    {"B: occupancy", GpuMode::slow_full, {true, false, false, false}},
    {"C: packed arrays", GpuMode::slow_full, {true, true, false, false}},
    {"D: stored ranges", GpuMode::slow_full, {true, true, true, false}},
    {"E: specific kernels", GpuMode::slow_full, {true, true, true, true}},
    {"F: half cells", GpuMode::fast_half, {true, true, true, true}},
}};

/// InputError for a run with periodic sides, which the papers' versions do not know.
inline void refuse_periodic_sides(const RunSetup& setup) {
    if (setup.period.any()) throw InputError("the papers' GPU versions have no periodic sides");
}

/// A run wholly on the GPU with the paper's kernels. `mode`: one without neighbour lists. What the kernels hold beside
/// the state is not in the memory plan. InputError and RunError as make_cuda_backend(); InputError for a gamma other
/// than 7.
std::unique_ptr<Backend> make_backend(const RunSetup& setup, std::uint32_t particle_count, GpuMode mode,
                                      const Optimisations& optimisations);

/// The partial version: the interaction on the GPU without any optimisation, the rest on all threads of the processor,
/// and particles and rates travel in every step (the paper's Fig. 4, left). Errors as make_backend().
std::unique_ptr<Backend> make_partial_backend(const RunSetup& setup, std::uint32_t particle_count, CellSize cells,
                                              int threads = 0);

/// The kernels of the ladder, as interaction_kernel_resources().
std::vector<GpuKernel> kernel_resources(int device = 0);

} // namespace sluice::paper

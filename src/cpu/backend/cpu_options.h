// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/backend/cpu_backend.h"
#include <string>

namespace sluice::cpu {

/// CpuOptions with everything decided.
struct Choice {
    CpuMode mode = CpuMode::asymmetric;
    std::optional<SliceAxis> slice_axis; ///< empty: the longest
    CellSize cells = CellSize::h;
    std::string simd = "off";
    int threads = 1;             ///< of a rank, the most
    bool threads_asked = false;  ///< by the options; else each process has as many as its host has for it
    int ranks = 1;               ///< that share the run
    bool threads_as_pay = false; ///< fewer where they are faster
    Split split;                 ///< between the ranks
};

/// Decides what the options leave open. InputError for what this machine or build cannot do.
Choice choose(const CpuOptions& options, const sph::Constants& constants, std::uint32_t particle_count);

/// Tells the log what was chosen, and why.
void log_choice(const CpuOptions& options, const Choice& choice, const sph::Constants& constants,
                std::uint32_t particle_count);

} // namespace sluice::cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/modes.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Which version of the GPU backend fits into how much memory. Arithmetic only: it works, and is tested, without a GPU.

namespace sluice {

/// Widest skin of the neighbour lists, in support radii: their cells must be so much larger.
inline constexpr double widest_list_skin = 0.1;

/// Device memory for copies of frames while steps go on, per particle: position with cell, velocity with density.
inline constexpr double frame_copy_bytes = 32;

/// Particles that ids of 32 bits can number, and cells that the GPU backend can.
inline constexpr double most_ids = 4294967295, most_gpu_cells = 2e9;

/// Entries that memory is set aside for in the neighbour list of each fluid particle, a multiple of eight.
int list_capacity(const sph::Constants& constants);

/// Pieces of 16 bytes that memory is set aside for beside the entries in runs with periodic sides: where the parts of
/// the list are that images see.
inline constexpr int list_part_chunks = 2;

/// Particles that the arrays of a run have room for which has so many now: where open boundaries create some, more than
/// it has, so that the arrays are made anew but seldom.
std::uint64_t gpu_room(const RunSetup& setup, std::uint64_t particles);

/// Most GPUs that can share a run.
inline constexpr int most_gpus = 32;

/// Particles of a run that each of so many GPUs holds, at most, as long as nothing is known of how the fluid lies: all
/// walls, its part of the fluid, and halos and room for what comes. With images along z, all particles.
std::uint64_t gpu_share(const RunSetup& setup, std::uint64_t particles, int gpus);

/// Records of what comes and goes through open boundaries that are kept until the host fetches them.
std::size_t passage_records(const RunSetup& setup);

/// Radius that the cells of a mode are made for, m.
double gpu_search_radius(const sph::Constants& constants, GpuMode mode);
int gpu_cell_divisions(GpuMode mode);

/// One version and what this run would need in it.
struct GpuModePlan {
    GpuMode mode = GpuMode::fast_half;
    MemoryModel model;
    std::uint64_t cells = 0;
    double bytes = 0;          ///< on each GPU, without the copies of frames
    bool fits = false;         ///< into the memory, and its cells and particles can be numbered
    double finest_dp = 0;      ///< about the smallest with which the case would fit, m; 0: it would not with any
    double most_particles = 0; ///< about how many it would have then
    int fewest_gpus = 0;       ///< with so much memory each that the case would fit; 0: more than can share a run
};

struct GpuMemoryRequest {
    RunSetup setup;
    std::uint64_t particles = 0;        ///< of the run
    double available = 0;               ///< bytes that the run may use, on each GPU
    std::optional<GpuMode> mode;        ///< asked for, or the first that fits
    std::optional<bool> neighbour_list; ///< required, forbidden, or the first that fits
    int gpus = 1;                       ///< that share the run
};

struct GpuMemoryPlan {
    double available = 0;        ///< bytes that the run may use, on each GPU
    int gpus = 1;                ///< that share the run
    std::uint64_t particles = 0; ///< that each holds, at most (gpu_share())
    std::vector<GpuModePlan> modes;
    std::optional<GpuMode> choice; ///< none: nothing that was asked for fits
    /// Bytes for copies of frames beside the choice. 0: no room, or a run with open boundaries or of several GPUs; the
    /// steps wait while a frame is copied. A faster version is worth more than that.
    double frame_bytes = 0;
    std::string why;  ///< one sentence: the choice and its reason, or what is missing
    std::string text; ///< for the log: the memory, a line for each version, why
};

/// The first version, from the fastest to the smallest, that fits into the memory and is not ruled out.
GpuMemoryPlan plan_gpu_memory(const GpuMemoryRequest& request);

/// Bytes from "141G", "1.4GB", "500M", "2GiB" or a plain number; powers of ten unless the unit has an i. InputError
/// for anything else.
double parse_memory_size(const std::string& text);

} // namespace sluice

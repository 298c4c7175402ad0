// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "core/vec.h"
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace sluice {

/// Which particles are followed: all that one of these names.
struct TracedParticles {
    std::vector<std::uint32_t> ids; ///< of fluid or boundary, ascending
    std::vector<Vec3d> near;        ///< the fluid particle nearest to each in the first frame, m
    std::optional<Box> box;         ///< the fluid in it in the first frame, m
    int limit = 1000;               ///< of those in the box at most so many, evenly over their ids
};

/// The suffix of `out` decides: .csv is one table with a row for each frame and particle, .vtp one file of lines along
/// which time, frame, id and the stored values are given.
struct TraceJob {
    std::filesystem::path dir; ///< an output folder
    TracedParticles particles;
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    std::filesystem::path out;
};

/// Paths of particles through stored frames. A line ends where a particle is missing from a frame or goes across a
/// periodic side, and another one begins after it. Returns the number of particles. Throws InputError (nothing to
/// follow, an id that no frame has, an unknown suffix) and RunError.
int write_paths(const TraceJob& job);

} // namespace sluice

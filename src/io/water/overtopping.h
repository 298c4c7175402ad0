// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "model/frame.h"
#include "model/run_setup.h"
#include <filesystem>
#include <optional>

namespace sluice {

/// A plane, or the part of it in a box, that fluid passes.
struct PassedPlane {
    Vec3d point{};            ///< on it, m
    Vec3d normal{1, 0, 0};    ///< the way forward, of any length
    std::optional<Box> box{}; ///< only where a particle passes in it, m
};

/// Volumes, m³ (in two dimensions m², for each metre of width).
struct PassedVolume {
    double forward = 0, backward = 0;
};

/// What has passed a plane between two frames: the particles that are on its other side in the second one, each with
/// its volume at the reference density. A particle passes where the straight way between its two places meets the
/// plane; one that passes there and back between two frames is not seen.
PassedVolume passed_between(const Frame& before, const Frame& after, const PassedPlane& plane, const RunSetup& setup);

struct OvertoppingJob {
    std::filesystem::path dir; ///< an output folder
    PassedPlane plane{};
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    std::filesystem::path out;     ///< the table, .csv
};

/// The volume that has passed a plane since the first of the frames, forward and backward, and the flow between two
/// frames, as CSV. Returns the sums. Throws InputError (one frame alone, a normal of no length, frames without all the
/// fluid) and RunError.
PassedVolume write_overtopping(const OvertoppingJob& job);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "io/fluid/interpolator.h"
#include <filesystem>
#include <optional>

namespace sluice {

/// A line up a slope, from its foot, as a gauge of run-up lies in a flume.
struct SlopeLine {
    Vec3d foot{}, top{}; ///< m
};

/// Where the run-up is looked for, and what counts as wet.
struct RunupPlace {
    std::optional<SlopeLine> line{}; ///< the end of the water along it; or
    std::optional<Box> box{};        ///< the highest wet place in it
    double distance = 0;             ///< of particles from the line, m; 0: two particle spacings
    double least_fraction = 0.1;     ///< of other fluid around a wet particle; a drop alone has none
};

/// The end of the water.
struct Runup {
    Vec3d place{};    ///< m
    double along = 0; ///< from the foot of the line, m; 0 of a box
};

/// A fluid particle is wet where φ = Σ_b (m/ρ_b) W over the others is `least_fraction` or more at its place. Of a line:
/// going up it, the place below (or above) the last wet particle within `distance` before the first gap of more than
/// 2h, which spray that flies ahead does not bridge. Of a box: the place of the highest wet particle in it. Nothing
/// where none is wet. In two dimensions y does not count.
std::optional<Runup> find_runup(const RunupPlace& place, const FluidInterpolator& fluid);

struct RunupJob {
    std::filesystem::path dir; ///< an output folder
    RunupPlace place;
    double still_level = 0;        ///< z of the still water, which the run-up counts from, m
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    std::filesystem::path out;     ///< the table, .csv
};

/// The run-up in stored frames, as CSV. Returns the largest one, m; NaN if nothing was wet. Throws InputError (a line
/// of no length, frames without all the fluid) and RunError.
double write_runup(const RunupJob& job);

} // namespace sluice

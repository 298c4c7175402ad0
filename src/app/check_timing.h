// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "io/fluid/layout.h"
#include <vector>

namespace sluice {

/// What the first seconds of a run on this machine were like.
struct StepTiming {
    double first_dt = 0;         ///< s
    double dt = 0;               ///< mean of the steps that were timed, s
    double seconds_per_step = 0; ///< wall time, the median of several stretches of steps
    double fewest_seconds = 0;   ///< a step: of the fastest tenth of the stretches, or with no other program beside it
    double most_seconds = 0;     ///< … of the slowest tenth
    std::int64_t steps = 0;      ///< that were timed
};

/// The value below which a share of the others are, the nearest by rank: 0 gives the least, 1 the greatest. At least
/// one value.
double quantile(std::vector<double> values, double share);

/// Takes steps from the state that the backend has, until about two seconds have passed or the time `until` is reached:
/// the caches are warm then, and a number of threads is chosen. At least two steps. Throws what the backend throws.
StepTiming time_first_steps(Backend& backend, double until);

/// How long `count` pictures like the one of a frame take when a run ends, wall time, s; one is drawn.
double time_pictures(const Frame& frame, const ParticleLayout& layout, double count);

} // namespace sluice

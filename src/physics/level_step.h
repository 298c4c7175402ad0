// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"

namespace sluice {
inline namespace SLUICE_ISA {

/// How the velocities that a step ends with have been brought forward.
struct LevelStep {
    double time = 0; ///< at the end of the step, s
    double dt = 0;   ///< of the step, s
    int steps = 1;   ///< over so many steps of dt: 2 where Verlet leaps from level n−1 (sph::level_steps)

    /// The time that lies between, s.
    SLUICE_HD double span() const { return steps * dt; }
};

} // namespace SLUICE_ISA
} // namespace sluice

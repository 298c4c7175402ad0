// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"

namespace sluice {

/// A stage of a step: what brings the particles from one time to another.
enum class Stage {
    whole_step, ///< Verlet: the step at once
    predictor,  ///< symplectic: half a step from its begin
    corrector,  ///< symplectic: the whole step from its begin, with the rates of its middle
    kick,       ///< staggered: velocities to the middle of the step, places with them
    drift,      ///< staggered: densities over the whole step, places from its middle to its end
};

/// The fraction of the step that the particles have come to after a stage, counted from the step's begin.
SLUICE_HD constexpr double part_of_step(Stage stage) {
    return stage == Stage::predictor || stage == Stage::kick ? 0.5 : 1.0;
}

/// Whether what pushes the particles in the last interaction changes their velocities by a whole step in a stage.
SLUICE_HD constexpr bool takes_forces(Stage stage) {
    return stage == Stage::whole_step || stage == Stage::corrector || stage == Stage::kick;
}

} // namespace sluice

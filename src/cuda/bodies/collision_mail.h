// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/bodies.h"
#include "model/wave_absorption.h"

namespace sluice::cuda {

/// The step that a stage belongs to, as the host learns of it.
struct StepOfStage {
    double time = 0, dt = 0; ///< its begin and its length, s
    long long step = 0;
    bool taken = false;
};

/// What device and host tell one another of bodies in a stage, in memory of the host that both see.
struct CollisionMail {
    StepOfStage* step = nullptr;
    BodyState* from = nullptr; ///< of all bodies, where the way of the stage begins
    BodyLoads* load = nullptr;
    AbsorberState* absorber = nullptr; ///< of all pistons
    BodyState* to = nullptr;           ///< the answer: where bodies of mechanisms are at the end of the stage
};

} // namespace sluice::cuda

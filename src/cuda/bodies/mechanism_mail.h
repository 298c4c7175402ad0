// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/bodies.h"
#include "model/wave_absorption.h"
#include "scheme/stage.h"

namespace sluice::cuda {

/// The step that a stage belongs to, as the host learns of it.
struct StepOfStage {
    double time = 0, dt = 0; ///< its begin and its length, s
    long long step = 0;
    Stage stage = Stage::whole_step;
};

/// Numbers of questions and of answers, each from 1 on.
struct MailTickets {
    unsigned long long asked = 0;    ///< the device writes it, once its question is there
    unsigned long long answered = 0; ///< the host writes it, once its answer is there
};

/// What device and host tell one another of bodies in a stage, in memory of the host that both see.
struct MechanismMail {
    StepOfStage* step = nullptr;
    BodyState* from = nullptr; ///< of all bodies, where the way of the stage begins
    BodyLoads* load = nullptr;
    AbsorberState* absorber = nullptr; ///< of all pistons
    BodyState* to = nullptr;           ///< the answer: where bodies of mechanisms are at the end of the stage
    MailTickets* tickets = nullptr;
};

} // namespace sluice::cuda

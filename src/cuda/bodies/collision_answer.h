// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/bodies/collision_mail.h"
#include "scheme/collisions/colliding_bodies.h"
#include "scheme/integrators.h"
#include "scheme/mechanism_arrays.h"
#include <algorithm>

namespace sluice::cuda {

/// Answers a mail; a step that is not taken has no answer.
inline void answer(const CollisionMail& mail, const RunSetup& setup, CollidingBodies& colliding, Stage stage) {
    const StepOfStage& step = *mail.step;
    if (!step.taken) return;
    std::copy_n(mail.from, setup.bodies.size(), mail.to);
    colliding.advance(body_stage(stage, sph::is_euler_step(step.step, setup.constants.verlet_steps)), mail.from,
                      mail.load, mail.to, mechanism_drive(setup, mail.absorber), step.time,
                      part_of_step(stage) * step.dt);
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scheme/collisions/colliding_bodies.h"
#include "scheme/mechanism_arrays.h"
#include <memory>

namespace sluice {

/// Moves the bodies of all mechanisms of a run, one mechanism after the other, or together where bodies collide. It
/// refers to `setup`.
class MechanismMotion {
public:
    explicit MechanismMotion(const RunSetup& setup) : all_(setup.mechanisms), arrays_(setup.mechanisms) {
        if (setup.collisions.any())
            colliding_ = std::make_unique<CollidingBodies>(setup.collisions, setup.mechanisms, setup.bodies.size());
    }

    /// Brings them `dt` (s) on from `time`, as advance_mechanism does.
    void advance(BodyStage stage, const BodyState* from, const BodyLoads* loads, BodyState* to,
                 const MechanismDrive& drive, double time, double dt) {
        if (colliding_) return colliding_->advance(stage, from, loads, to, drive, time, dt);
        for (int m = 0; m < static_cast<int>(all_.all.size()); ++m)
            advance_mechanism(all_.view(), m, stage, from, loads, to, drive, arrays_.numbers(), time, dt);
    }

private:
    const Mechanisms& all_;
    MechanismArrays arrays_;
    std::unique_ptr<CollidingBodies> colliding_; ///< null: bodies do not collide
};

} // namespace sluice

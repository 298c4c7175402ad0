// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/motion.h"
#include "model/run_setup.h"
#include <vector>

namespace sluice {

/// How all objects of a run move at a time (s), in the order of `RigidParticles::object`: prescribed motions, then the
/// bodies, which are in `states`. `absorbers`: as many as RunSetup has.
inline std::vector<RigidMotion> rigid_motions(const RunSetup& setup, const std::vector<BodyState>& states,
                                              const std::vector<AbsorberState>& absorbers, double time) {
    std::vector<RigidMotion> all;
    MotionView motions = setup.motions.view();
    motions.absorbers = absorbers.data();
    for (int object = 0; object < motions.object_count; ++object) all.push_back(motion_at(motions, object, time));
    for (std::size_t b = 0; b < setup.bodies.size(); ++b) all.push_back(motion_at(setup.bodies[b], states[b], time));
    return all;
}

/// As they are at time 0.
inline std::vector<BodyState> initial_states(const std::vector<Body>& bodies) {
    std::vector<BodyState> states;
    for (const Body& body : bodies) states.push_back(initial_state(body));
    return states;
}

} // namespace sluice

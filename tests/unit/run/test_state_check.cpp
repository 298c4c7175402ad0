// SPDX-License-Identifier: Apache-2.0
#include "run/state_check.h"

#include "core/error.h"
#include <gtest/gtest.h>
#include <limits>

using namespace sluice;

namespace {

RunSetup checked_setup() {
    RunSetup s;
    s.domain = {{0, 0, 0}, {1, 1, 1}};
    s.set_groups(ParticleGroups::of(2, 3));
    return s;
}

ParticleState state() {
    ParticleState s;
    s.id = {1, 0, 4, 2}; // particle 3 has left
    s.position.assign(4, {0.5, 0.5, 0.5});
    s.velocity.resize(4);
    s.velocity_previous.resize(4);
    s.density.assign(4, 1000);
    s.density_previous.assign(4, 1000);
    return s;
}

} // namespace

TEST(state_check, takes_a_state_of_the_run) { EXPECT_NO_THROW(require_state_of(state(), checked_setup())); }

TEST(state_check, takes_places_as_far_outside_as_the_domain_is_wide) {
    for (int axis = 0; axis < 3; ++axis)
        for (const double end : {-1.0, 2.0}) {
            ParticleState s = state();
            s.position[2][axis] = end;
            EXPECT_NO_THROW(require_state_of(s, checked_setup())) << axis;
            s.position[2][axis] = end < 0 ? end - 1e-6 : end + 1e-6;
            EXPECT_THROW(require_state_of(s, checked_setup()), RunError) << axis;
        }
}

TEST(state_check, refuses_any_other) {
    const float none = std::numeric_limits<float>::quiet_NaN();
    const std::vector<void (*)(ParticleState&)> forgeries{
        [](ParticleState& s) { s.velocity.pop_back(); },
        [](ParticleState& s) { s.density_previous.push_back(1); },
        [](ParticleState& s) { s.id[0] = 4; },
        [](ParticleState& s) { s.id[0] = 5; },
        [](ParticleState& s) { s.id[0] = 3; }, // a boundary particle is missing
        [](ParticleState& s) { s.position[2].x = 1e30; },
        [](ParticleState& s) { s.step = -1; },
        [](ParticleState& s) { s.time = std::numeric_limits<double>::infinity(); }};
    for (std::size_t n = 0; n < forgeries.size(); ++n) {
        ParticleState forged = state();
        forgeries[n](forged);
        EXPECT_THROW(require_state_of(forged, checked_setup()), RunError) << n;
    }
    ParticleState forged = state();
    forged.velocity[3].z = none;
    EXPECT_THROW(require_state_of(forged, checked_setup()), RunError);
    forged = state();
    forged.position[3].z = none;
    EXPECT_THROW(require_state_of(forged, checked_setup()), RunError);
}

TEST(state_check, steps_are_only_so_long) {
    RunSetup run = checked_setup();
    run.constants.h = 0.02;
    run.constants.c0 = 20;
    run.constants.cfl = 0.2; // 0.2 ms a step at most
    ParticleState s = state();
    s.step = 1000;
    s.time = 0.2;
    EXPECT_NO_THROW(require_state_of(s, run));
    s.time = 1e300;
    EXPECT_THROW(require_state_of(s, run), RunError);
    s.time = 2.1;
    EXPECT_THROW(require_state_of(s, run), RunError);
    run.constants.dt_fixed = 2.1e-3;
    EXPECT_NO_THROW(require_state_of(s, run));
    s.step = 0;
    EXPECT_THROW(require_state_of(s, run), RunError);
}

TEST(state_check, a_run_with_bodies_wants_each_at_a_possible_place) {
    RunSetup with_bodies = checked_setup();
    with_bodies.bodies.resize(2);
    ParticleState given = state();
    EXPECT_THROW(require_state_of(given, with_bodies), RunError);
    given.bodies.resize(2);
    EXPECT_NO_THROW(require_state_of(given, with_bodies));
    EXPECT_THROW(require_state_of(given, checked_setup()), RunError);
    given.bodies[1].turning[0] = 2;
    EXPECT_THROW(require_state_of(given, with_bodies), RunError);
    for (const auto& [a, b] : {std::pair{0.6, 0.8}, {-0.6, -0.8}, {0.6, 0.6}, {0.6, 1.0}})
        for (int first = 0; first < 4; ++first)
            for (int second = first + 1; second < 4; ++second) {
                double* const q = given.bodies[1].turning;
                std::fill(q, q + 4, 0.0);
                q[first] = a;
                q[second] = b;
                if (std::abs(a * a + b * b - 1) < 1e-9)
                    EXPECT_NO_THROW(require_state_of(given, with_bodies)) << first << second;
                else
                    EXPECT_THROW(require_state_of(given, with_bodies), RunError) << first << second;
            }
    given.bodies[1] = {};
    given.bodies[0].centre.z = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(require_state_of(given, with_bodies), RunError);
}

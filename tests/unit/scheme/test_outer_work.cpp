// SPDX-License-Identifier: Apache-2.0
#include "scheme/outer_work.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace sluice;

namespace {

sph::Constants water() {
    sph::Constants c;
    c.rho0 = 1000;
    c.c0 = 20;
    c.gamma = 7;
    c.b = c.c0 * c.c0 * c.rho0 / 7;
    return c;
}

Body box() {
    Body body;
    body.mass = 2;
    body.inertia[0] = {3, 0, 0};
    body.inertia[1] = {0, 3, 0};
    body.inertia[2] = {0, 0, 3};
    return body;
}

} // namespace

// A wall that goes against a push of the fluid, 3 m/s² on 2 kg to the left, at 0.5 m/s to the right gives it 3 W.
TEST(OuterWork, OfAWallThatGoesAgainstTheFluid) {
    EXPECT_NEAR(work_of_wall({-3, 7, 0}, {0.5, 0, 0}, 2, 0.01), wall_sampling_interval * 0.01 * 3, 1e-9);
    EXPECT_EQ(work_of_wall({-3, 7, 5}, {0, 0, 0}, 2, 0.01), 0);
    int looks = 0;
    for (std::int64_t step = 0; step < 1600; ++step) looks += samples_walls(step);
    EXPECT_EQ(looks * wall_sampling_interval, 1600);
}

// A body that falls freely, or that the fluid alone pushes, is driven by nothing.
TEST(OuterWork, OfABodyThatNothingDrivesIsNothing) {
    const Body body = box();
    EXPECT_FALSE(is_driven(body));
    BodyState state = initial_state(body);
    BodyLoads loads;
    loads.fluid = {{4, -3, 12}, {0.5, 0.2, -0.7}};
    loads.contact.force = {1, 0, 0};
    const Vec3d gravity{0, 0, -9.81};
    double work = 0;
    for (int n = 0; n < 1000; ++n) {
        const BodyState next = after_stage(BodyStage::symplectic, body, state, loads, {gravity}, 1e-3 * n, 1e-3);
        work += work_on_body(body, state, next, loads, gravity, 1e-3);
        state = next;
    }
    EXPECT_LT(mechanical_energy(body, state, gravity), -10);
    EXPECT_NEAR(work, 0, 1e-6);
}

// What drives it gives a force's way and a moment's turn; and what lifts it at a constant speed its weight's way.
TEST(OuterWork, OfWhatDrivesABody) {
    Body body = box();
    const Vec3d gravity{0, 0, -9.81};
    std::vector<SeriesSample> series{{0, {6, 0, 0}, {}, {}}, {0, {0, 3, 0}, {}, {}}};
    body.outer_force = {0, 1};
    body.outer_moment = {1, 1};
    EXPECT_TRUE(is_driven(body));
    double work = 0;
    BodyState state = initial_state(body);
    for (int n = 0; n < 1000; ++n) {
        const BodyState next =
            after_stage(BodyStage::symplectic, body, state, {}, {gravity, series.data()}, 1e-3 * n, 1e-3);
        work += work_on_body(body, state, next, {}, gravity, 1e-3);
        state = next;
    }
    EXPECT_NEAR(work, 6 * 6.0 / (2 * 2) + 3 * 3.0 / (2 * 3), 1e-3); // (F t)²/2m and (M t)²/2I

    Body lifted = box();
    lifted.velocity = {0, 0, 0.5};
    lifted.imposed_velocity = {0, 1};
    series = {{0, {0, 0, 0.5}, {}, {}}};
    BodyLoads pushed;
    pushed.fluid.force = {0, 0, 5}; // which helps
    state = initial_state(lifted);
    const BodyState next = after_stage(BodyStage::symplectic, lifted, state, pushed, {gravity, series.data()}, 0, 0.2);
    EXPECT_NEAR(work_on_body(lifted, state, next, pushed, gravity, 0.2), 0.1 * (2 * 9.81 - 5), 1e-9);
}

// Of a particle in an open boundary: what it has more than before, and what it would have gained.
TEST(OuterWork, OfOpenBoundaries) {
    const sph::EquationOfState<double> state(water());
    EXPECT_NEAR(work_of_imposing(state, {1, 2, 0}, 1000, {3, 0, 4}, 1000), 12.5 - 2.5, 1e-12);
    const double compressed = work_of_imposing(state, {}, 1000, {}, 1010); // c² ε²/2 to first order
    EXPECT_NEAR(compressed, 0.5 * 400 * 1e-4, 0.03 * compressed);
    EXPECT_NEAR(work_of_imposing(state, {}, 1010, {}, 1000), -compressed, 1e-12);
    EXPECT_NEAR(work_of_holding(state, {2, 0, 1}, 1000, {3, 5, -9.81}, 50, 0.1), -0.1 * (6 - 9.81), 1e-9);
    const double pressure = 4e5 / 7 * (std::pow(1.01, 7) - 1); // c0² rho0/gamma = 400 · 1000/7
    EXPECT_NEAR(work_of_holding(state, {}, 1010, {}, 50, 0.1), -0.1 * pressure / (1010.0 * 1010) * 50, 1e-6);
}

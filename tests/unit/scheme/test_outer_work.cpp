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

namespace {

/// The work of what drives a body on springs that the fluid is, over staggered steps, less what its energy and that of
/// the springs have grown by; and that growth.
struct Balance {
    double missing, grown;
};
Balance balance_on_springs(const Body& body, const std::vector<SeriesSample>& series, const Vec3d& gravity, double dt,
                           int steps) {
    constexpr double k = 40, torsion = 30;
    BodyState state = initial_state(body);
    const auto energy = [&] {
        const double angle = turning_angles(state).x;
        return mechanical_energy(body, state, gravity) + 0.5 * k * dot(state.centre, state.centre) +
               0.5 * torsion * angle * angle;
    };
    const double start = energy();
    const BodyDrive drive{gravity, series.data()};
    double work = 0, before = 0, time = 0;
    for (int n = 0; n < steps; ++n) {
        const double step = n % 3 ? dt : 1.1 * dt;
        BodyLoads loads;
        loads.fluid = {-k * state.centre, {-torsion * turning_angles(state).x, 0, 0}};
        const BodyState middle = after_stage(BodyStage::kick, body, state, loads, drive, time, 0.5 * step, before);
        if (is_driven(body))
            work += work_in_step(BodyStage::kick, body, state, middle, loads, drive, time, step, before);
        state = after_stage(BodyStage::drift, body, middle, loads, drive, time, step, before);
        before = step;
        time += step;
    }
    const double grown = energy() - start;
    return {work - grown, grown};
}

} // namespace

// Staggered steps: a body that swings keeps its energy, and that of one which is driven grows by the work.
TEST(OuterWork, OfABodyInStaggeredSteps) {
    Body body = box();
    body.turns = {1, 0, 0};
    body.velocity = {0.3, 0, 0};
    body.angular_velocity = {0.2, 0, 0};
    const Vec3d gravity{0, 0, -9.81};
    EXPECT_NEAR(balance_on_springs(body, {}, gravity, 1e-3, 5000).missing, 0, 1e-4); // of 5 J
    EXPECT_NEAR(balance_on_springs(body, {}, gravity, 1e-3, 50000).missing, 0, 1e-4);

    // What drives it is counted up to the middle of the last step: half a step's work is the error, and does not grow.
    std::vector<SeriesSample> series{{0, {6, 0, 0}, {}, {}}, {0, {2, 0, 0}, {}, {}}};
    body.outer_force = {0, 1};
    body.outer_moment = {1, 1};
    for (const int steps : {5200, 52000}) {
        const Balance pushed = balance_on_springs(body, series, gravity, 1e-3, steps);
        EXPECT_GT(std::abs(pushed.grown), 0.05);
        EXPECT_NEAR(pushed.missing, 0, 0.55e-3 * 6 * 1.5) << steps;
    }

    body.outer_force = body.outer_moment = {};
    body.imposed_velocity = {0, 2};
    body.imposed_turning = {2, 2};
    body.velocity = {0, 0, 0.1};
    series = {{0, {0, 0, 0.1}, {0, 0, 0.05}, {}},
              {40, {0, 0, 2.1}, {0, 0, 0.05}, {}},
              {0, {0.02, 0, 0}, {}, {}},
              {90, {0.02, 0, 0}, {}, {}}};
    for (const int steps : {3000, 12000}) {
        const Balance lifted = balance_on_springs(body, series, gravity, 1e-3, steps);
        EXPECT_GT(lifted.grown, 5);
        EXPECT_NEAR(lifted.missing, 0, 2e-3 * lifted.grown) << steps;
    }

    body.released = 100; // what holds it does no work
    EXPECT_EQ(balance_on_springs(body, series, gravity, 1e-3, 100).missing, 0);
}

// Of a particle in an open boundary: what it has more than before, and what it would have gained.
TEST(OuterWork, OfOpenBoundaries) {
    const sph::EquationOfState<double> state(water());
    EXPECT_NEAR(work_of_imposing(state, {1, 2, 0}, 1000, {3, 0, 4}, 1000), 12.5 - 2.5, 1e-12);
    const double compressed = work_of_imposing(state, {}, 1000, {}, 1010); // c² ε²/2 to first order
    EXPECT_NEAR(compressed, 0.5 * 400 * 1e-4, 0.03 * compressed);
    EXPECT_NEAR(work_of_imposing(state, {}, 1010, {}, 1000), -compressed, 1e-12);
    EXPECT_NEAR(work_of_holding(sph::RatesPart::both, state, {2, 0, 1}, 1000, {3, 5, -9.81}, 50, 0.1),
                -0.1 * (6 - 9.81), 1e-9);
    const double pressure = 4e5 / 7 * (std::pow(1.01, 7) - 1); // c0² rho0/gamma = 400 · 1000/7
    EXPECT_NEAR(work_of_holding(sph::RatesPart::both, state, {}, 1010, {}, 50, 0.1),
                -0.1 * pressure / (1010.0 * 1010) * 50, 1e-6);
    // the interactions of a staggered step have one of the two each; the other rates are not to be looked at
    const auto of_part = [&](sph::RatesPart part) {
        return work_of_holding(part, state, {2, 0, 1}, 1010, {3, 5, -9.81}, 50, 0.1);
    };
    EXPECT_NEAR(of_part(sph::RatesPart::velocity), -0.1 * (6 - 9.81), 1e-9);
    EXPECT_NEAR(of_part(sph::RatesPart::density), of_part(sph::RatesPart::both) + 0.1 * (6 - 9.81), 1e-9);
    EXPECT_LT(of_part(sph::RatesPart::density), -1e-4);
    EXPECT_TRUE(outlasts_step(sph::Integrator::symplectic, 0));
    EXPECT_FALSE(outlasts_step(sph::Integrator::symplectic, 0.5));
    EXPECT_TRUE(outlasts_step(sph::Integrator::staggered, 0.5));
}

// SPDX-License-Identifier: Apache-2.0
#include "scheme/body_motion.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

using namespace sluice;

namespace {

double norm(const Vec3d& v) { return std::sqrt(dot(v, v)); }

Body top() {
    Body body;
    body.mass = 3;
    body.centre = {1, 2, 3};
    body.inertia[0] = {2, 0, 0};
    body.inertia[1] = {0, 2, 0};
    body.inertia[2] = {0, 0, 1};
    body.velocity = {0.5, -0.25, 4};
    body.angular_velocity = {0.3, 0, 2};
    return body;
}

BodyState after(const Body& body, const BodyLoad& load, const Vec3d& gravity, double dt, int steps) {
    BodyState state = initial_state(body);
    for (int n = 0; n < steps; ++n) state = advanced(body, state, load, {gravity}, n * dt, dt);
    return state;
}

/// The same with a series, from whatever the body has at time 0.
BodyState driven(const Body& body, const std::vector<SeriesSample>& series, const Vec3d& gravity, double dt,
                 int steps) {
    BodyState state = initial_state(body);
    for (int n = 0; n < steps; ++n) state = advanced(body, state, {}, {gravity, series.data()}, n * dt, dt);
    return state;
}

/// x: 2 at 0.5 s and 4 at 1.5 s, and then free; the others always free.
std::vector<SeriesSample> ramp() {
    return {{0.5, {2, 0, 0}, {2, 0, 0}, {}, {1, 0, 0}}, {1.5, {4, 0, 0}, {}, {3, 0, 0}, {0, 0, 0}}};
}

/// A vector of space in the axes of the body.
Vec3d in_body(const BodyState& state, const Vec3d& v) {
    Vec3d r[3];
    rows_of_turning(state.turning, r);
    return v.x * r[0] + v.y * r[1] + v.z * r[2];
}

Vec3d angular_momentum(const Body& body, const BodyState& state) {
    Vec3d inertia[3];
    body::turned_inertia(body.inertia, state.turning, inertia);
    return body::product(inertia, state.angular_velocity);
}

} // namespace

TEST(BodyMotion, FallsAsGalileoSaid) {
    const BodyState state = after(top(), {}, {0, 0, -9.81}, 1e-3, 2000);
    EXPECT_NEAR(state.centre.x, 1 + 2 * 0.5, 1e-12);
    EXPECT_NEAR(state.centre.y, 2 - 2 * 0.25, 1e-12);
    EXPECT_NEAR(state.centre.z, 3 + 2 * 4 - 0.5 * 9.81 * 4, 1e-11);
    EXPECT_NEAR(state.velocity.z, 4 - 2 * 9.81, 1e-11);
}

TEST(BodyMotion, AForceActsByTheMass) {
    Body body = top();
    body.velocity = {};
    const BodyState state = after(body, {{6, 0, -3}, {}}, {}, 1e-3, 1000);
    EXPECT_NEAR(state.velocity.x, 2, 1e-12);
    EXPECT_NEAR(state.centre.z, 3 - 0.5, 1e-12);
}

TEST(BodyMotion, ASymmetricTopPrecessesInItsOwnAxes) {
    const Body body = top();
    const double t = 5;
    const BodyState state = after(body, {}, {}, 1e-3, 5000);
    const Vec3d omega = in_body(state, state.angular_velocity); // dω1/dt = λω2, dω2/dt = −λω1, λ = (I1−I3)/I1·ω3 = 1
    EXPECT_NEAR(omega.x, 0.3 * std::cos(t), 1e-10);
    EXPECT_NEAR(omega.y, -0.3 * std::sin(t), 1e-10);
    EXPECT_NEAR(omega.z, 2, 1e-10);
}

TEST(BodyMotion, TumblingKeepsAngularMomentumAndEnergy) {
    Body body = top();
    body.inertia[0] = {3, 0.2, 0.1};
    body.inertia[1] = {0.2, 2, -0.3};
    body.inertia[2] = {0.1, -0.3, 1};
    body.angular_velocity = {0.1, 3, 0.2}; // about the axis that is not stable
    const BodyState start = initial_state(body), end = after(body, {}, {}, 1e-3, 20000);
    EXPECT_LT(norm(angular_momentum(body, end) - angular_momentum(body, start)), 1e-8);
    EXPECT_NEAR(dot(angular_momentum(body, end), end.angular_velocity),
                dot(angular_momentum(body, start), start.angular_velocity), 1e-8);
    EXPECT_GT(norm(end.angular_velocity - start.angular_velocity), 0.5); // it does tumble
}

TEST(BodyMotion, AMomentTurnsAboutTheAxesThatAreFree) {
    Body body = top();
    body.angular_velocity = {};
    body.turns = {0, 1, 0};
    body.translates = {1, 0, 0};
    body.velocity = {};
    body.inertia[1] = {0, 4, 0.5}; // what couples to an axis that is held does not act
    body.inertia[2] = {0, 0.5, 1};
    const BodyState state = after(body, {{3, 3, 3}, {5, 8, 7}}, {1, 1, -9.81}, 1e-3, 1000);
    EXPECT_NEAR(state.angular_velocity.y, 2, 1e-9);
    EXPECT_EQ(state.angular_velocity.x, 0);
    EXPECT_EQ(state.angular_velocity.z, 0);
    EXPECT_NEAR(state.velocity.x, 2, 1e-12);
    EXPECT_EQ(state.velocity.y, 0);
    EXPECT_EQ(state.velocity.z, 0);
    const RigidMotion motion = motion_at(body, state, 1);
    const Vec3d place = motion.position_of({2, 2, 3}); // an arm of 1 m along x, turned by 1 rad about y
    EXPECT_NEAR(place.x - state.centre.x, std::cos(1.0), 1e-9);
    EXPECT_NEAR(place.z - state.centre.z, -std::sin(1.0), 1e-9);
    const Vec3d velocity = motion.velocity_at(place);
    EXPECT_NEAR(velocity.x, 2 - 2 * std::sin(1.0), 1e-9); // v + ω×r
    EXPECT_NEAR(velocity.z, -2 * std::cos(1.0), 1e-9);
}

TEST(BodyMotion, RestsUntilItIsReleased) {
    Body body = top();
    body.released = 0.5;
    EXPECT_EQ(after(body, {{1, 1, 1}, {1, 1, 1}}, {0, 0, -9.81}, 1e-3, 500), initial_state(body));
    EXPECT_EQ(motion_at(body, initial_state(body), 0.2).velocity_at({1, 1, 1}), Vec3d{});
    const BodyState state = after(body, {}, {0, 0, -9.81}, 1e-3, 1500);
    EXPECT_NEAR(state.velocity.z, 4 - 9.81, 1e-2);
}

TEST(BodyMotion, AnglesAreThoseOfTurnsAboutTheFixedAxes) {
    // about x by 0.3, then y by −0.4, then z by 0.5
    BodyState state;
    const double c[3] = {std::cos(0.15), std::cos(-0.2), std::cos(0.25)},
                 s[3] = {std::sin(0.15), std::sin(-0.2), std::sin(0.25)};
    state.turning[0] = c[0] * c[1] * c[2] + s[0] * s[1] * s[2];
    state.turning[1] = s[0] * c[1] * c[2] - c[0] * s[1] * s[2];
    state.turning[2] = c[0] * s[1] * c[2] + s[0] * c[1] * s[2];
    state.turning[3] = c[0] * c[1] * s[2] - s[0] * s[1] * c[2];
    const Vec3d angles = turning_angles(state);
    EXPECT_NEAR(angles.x, 0.3, 1e-14);
    EXPECT_NEAR(angles.y, -0.4, 1e-14);
    EXPECT_NEAR(angles.z, 0.5, 1e-14);
}

TEST(BodyMotion, AVerletStepLeapsFromTheLevelBefore) {
    Body body = top();
    BodyState from = initial_state(body);
    from.velocity_previous = {1, 1, 1};
    const BodyLoad load{{3, 0, 0}, {}};
    const BodyState to = after_stage(BodyStage::verlet_leap, body, from, {load, {}, 0}, {{0, 0, -10}}, 0, 0.01);
    EXPECT_NEAR(to.velocity.x, 1 + 0.02, 1e-15);
    EXPECT_NEAR(to.velocity.z, 1 - 0.2, 1e-15);
    EXPECT_EQ(to.velocity_previous, from.velocity);
    EXPECT_EQ(to.centre, advanced(body, from, load, {{0, 0, -10}}, 0, 0.01).centre);
}

TEST(BodyMotion, FollowsAnImposedVelocityAndThenGoesOnFreely) {
    Body body = top();
    body.imposed_velocity = {0, 2};
    body.velocity = {2, 0, 1};
    const BodyState during = driven(body, ramp(), {0, 0, -9.81}, 1e-3, 1000);
    EXPECT_NEAR(during.velocity.x, 3, 1e-9);                // halfway up the ramp
    EXPECT_NEAR(during.centre.x, 1 + 0.5 * 2 + 1.25, 1e-9); // held at 2 m/s before the first row
    EXPECT_NEAR(during.velocity.z, 1 - 9.81, 1e-9);         // the loads do as they like with the other axes
    const BodyState after = driven(body, ramp(), {7, 0, 0}, 1e-3, 2500);
    EXPECT_NEAR(after.velocity.x, 4 + 7 * 1.0, 2e-2);
    EXPECT_NEAR(after.centre.x, 1 + 1 + 3 + 4 + 3.5, 2e-2);
}

// A leap goes on from the velocity of the level before; what is imposed is not leapt.
TEST(BodyMotion, FollowsAnImposedVelocityInALeapToo) {
    Body body = top();
    body.imposed_velocity = {0, 2};
    const std::vector<SeriesSample> series = ramp();
    BodyState from = initial_state(body);
    from.velocity = {2.98, 0, 1};
    from.velocity_previous = {2.96, 0, 1.1};
    const BodyState to = after_stage(BodyStage::verlet_leap, body, from, {{{300, 0, 0}, {}}, {}, 0},
                                     {{0, 0, -10}, series.data()}, 0.99, 0.01);
    EXPECT_NEAR(to.velocity.x, 3, 1e-12); // of the ramp at 1 s
    EXPECT_NEAR(to.velocity.z, 1.1 - 0.2, 1e-12);
    EXPECT_NEAR(to.centre.x, 1 + 0.01 * 2.99, 1e-12);
}

TEST(BodyMotion, TurnsAsImposedWhateverTheMoment) {
    Body body = top();
    body.centre = {};
    body.angular_velocity = {2, 0, 0};
    body.imposed_turning = {0, 2};
    std::vector<SeriesSample> series = ramp();
    series[1].given = {1, 0, 0};
    BodyState state = initial_state(body);
    for (int n = 0; n < 1500; ++n)
        state = advanced(body, state, {{}, {1e3, 0, 0}}, {{}, series.data()}, n * 1e-3, 1e-3);
    EXPECT_NEAR(state.angular_velocity.x, 4, 1e-9);
    EXPECT_NEAR(turning_angles(state).x, 4 - 2 * 3.14159265358979, 1e-8); // 2·0.5 + 3·1 rad
    EXPECT_EQ(state.angular_velocity.y, 0);
}

TEST(BodyMotion, AnOuterForceAddsToTheLoads) {
    Body body = top();
    body.velocity = body.angular_velocity = {};
    body.outer_force = {0, 2};
    body.outer_moment = {2, 1};
    std::vector<SeriesSample> series = ramp(); // ∫ to 1.5 s: 1 + 3 N s
    series.push_back({0, {0, 0, 5}, {}, {}});
    const BodyState state = driven(body, series, {}, 1e-3, 1500);
    EXPECT_NEAR(state.velocity.x, 4.0 / 3, 1e-9);
    EXPECT_NEAR(state.angular_velocity.z, 5 * 1.5, 1e-9);
    const BodyLoad mean = outer_load(body, series.data(), 0.4, 0.6);
    EXPECT_NEAR(mean.force.x, (0.1 * 2 + 0.1 * 2.1) / 0.2, 1e-12);
    EXPECT_EQ(outer_load(body, series.data(), 0.75, 0.75).force.x, 2.5);
}

TEST(BodyMotion, AKickActsAtOnceAndOnOneTimeLevel) {
    Body body = top();
    body.angular_velocity = {};
    const BodyLoads loads{{{3, 0, 0}, {}}, {{0, 0, 6}, {0, 4, 0}}};
    BodyState from = initial_state(body);
    from.velocity_previous = {0.1, 0, 0};
    const BodyState to = after_stage(BodyStage::verlet_leap, body, from, loads, {}, 0, 0.01);
    EXPECT_NEAR(to.velocity.x, 0.1 + 0.02, 1e-15);                      // over two steps
    EXPECT_NEAR(to.velocity.z, from.velocity_previous.z + 0.02, 1e-15); // over one
    EXPECT_NEAR(to.velocity_previous.z, from.velocity.z + 0.02, 1e-15);
    EXPECT_NEAR(to.centre.z - from.centre.z, 0.01 * (from.velocity.z + 0.02), 1e-15);
    EXPECT_NEAR(to.angular_velocity.y, 0.02, 1e-9);
    const BodyState half = after_stage(BodyStage::symplectic, body, from, loads, {}, 0, 0.01);
    EXPECT_NEAR(half.centre.z - from.centre.z, 0.01 * (from.velocity.z + 0.01), 1e-15);
}

namespace {

/// A body after staggered steps of these lengths. `loads(state, n)`: at the begin of step n.
template <class Loads>
BodyState staggered(const Body& body, const std::vector<double>& steps, const BodyDrive& drive, const Loads& loads) {
    BodyState state = initial_state(body);
    double time = 0, before = 0;
    for (std::size_t n = 0; n < steps.size(); ++n) {
        const BodyLoads now = loads(state, n);
        const BodyState middle = after_stage(BodyStage::kick, body, state, now, drive, time, 0.5 * steps[n], before);
        state = after_stage(BodyStage::drift, body, middle, now, drive, time, steps[n], before);
        before = steps[n];
        time += before;
    }
    return state;
}

BodyState staggered(const Body& body, const std::vector<double>& steps, const BodyDrive& drive) {
    return staggered(body, steps, drive, [](const BodyState&, std::size_t) { return BodyLoads{}; });
}

/// `count` steps whose lengths change from one to the next: 1 s together for every thousand.
std::vector<double> uneven_steps(int count) {
    std::vector<double> steps;
    for (int n = 0; n < count; ++n) steps.push_back(n % 2 ? 1.2e-3 : 0.8e-3);
    return steps;
}

} // namespace

// By hand: F = 6 N and M = 4 N m along y, on 3 kg and 2 kg m²; the step before took 0.02 s, this one takes 0.04 s.
TEST(BodyMotion, AKickAndADriftByHand) {
    Body body = top();
    body.turns = {0, 1, 0};
    BodyState from = initial_state(body);
    from.velocity_previous = {0, 1, 0};
    from.angular_velocity_previous = {0, 0.5, 0};
    const BodyLoads loads{{{0, 4, 0}, {0, 1, 0}}, {{0, 2, 0}, {0, 3, 0}}}; // of the fluid and of contacts
    const BodyDrive drive{{0, 0, -10}};
    const BodyState middle = after_stage(BodyStage::kick, body, from, loads, drive, 1, 0.02, 0.02);
    EXPECT_NEAR(middle.velocity.y, 1 + 0.03 * 2, 1e-14);
    EXPECT_NEAR(middle.velocity.z, -0.03 * 10, 1e-14);
    EXPECT_NEAR(middle.centre.y, 2 + 0.02 * 1.06, 1e-14);
    EXPECT_NEAR(middle.angular_velocity.y, 0.5 + 0.03 * 2, 1e-14);
    EXPECT_NEAR(turning_angles(middle).y, 0.02 * 0.56, 1e-12);
    const BodyState end = after_stage(BodyStage::drift, body, middle, loads, drive, 1, 0.04, 0.02);
    EXPECT_NEAR(end.centre.y, 2 + 0.04 * 1.06, 1e-14);
    EXPECT_NEAR(turning_angles(end).y, 0.04 * 0.56, 1e-12);
    EXPECT_NEAR(end.velocity_previous.y, 1.06, 1e-14);
    EXPECT_NEAR(end.angular_velocity_previous.y, 0.56, 1e-14);
    EXPECT_NEAR(end.velocity.y, 1.06 + 0.02 * 2, 1e-14);
    EXPECT_NEAR(end.velocity.z, -0.03 * 10 - 0.02 * 10, 1e-14);
    EXPECT_NEAR(end.angular_velocity.y, 0.56 + 0.02 * 2, 1e-14);
}

TEST(BodyMotion, FallsAsGalileoSaidInStaggeredSteps) {
    const BodyState state = staggered(top(), uneven_steps(2000), {{0, 0, -9.81}});
    EXPECT_NEAR(state.centre.x, 1 + 2 * 0.5, 1e-12);
    EXPECT_NEAR(state.centre.z, 3 + 2 * 4 - 0.5 * 9.81 * 4, 1e-11);
    EXPECT_NEAR(state.velocity.z, 4 - 2 * 9.81, 1e-11);
    EXPECT_NEAR(state.velocity_previous.z, 4 - (2 - 0.6e-3) * 9.81, 1e-11);
}

// It falls from its release on, whenever in a step that is, as long as the middle of the step before has passed.
TEST(BodyMotion, IsKickedFromItsReleaseOnInStaggeredSteps) {
    Body body = top();
    for (const double released : {0.5, 0.5 - 0.3e-3}) {
        body.released = released;
        const BodyState state = staggered(body, uneven_steps(1500), {{0, 0, -9.81}});
        EXPECT_NEAR(state.velocity.z, 4 - 9.81 * (1.5 - released), 1e-10) << released;
        EXPECT_EQ(staggered(body, uneven_steps(500), {{0, 0, -9.81}}).centre, body.centre);
    }
}

TEST(BodyMotion, TumblingKeepsAngularMomentumAndEnergyInStaggeredSteps) {
    Body body = top();
    body.inertia[0] = {3, 0.2, 0.1};
    body.inertia[1] = {0.2, 2, -0.3};
    body.inertia[2] = {0.1, -0.3, 1};
    body.angular_velocity = {0.1, 3, 0.2};
    const BodyState start = initial_state(body), end = staggered(body, uneven_steps(20000), {});
    EXPECT_LT(norm(angular_momentum(body, end) - angular_momentum(body, start)), 1e-8);
    EXPECT_NEAR(dot(angular_momentum(body, end), end.angular_velocity),
                dot(angular_momentum(body, start), start.angular_velocity), 1e-8);
    EXPECT_GT(norm(end.angular_velocity - start.angular_velocity), 0.5);
    const BodyState same = after(body, {}, {}, 1e-3, 20000); // steps of other lengths turn it just so
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(end.turning[k], same.turning[k], 1e-6);
}

// An asymmetric body on a spring that turns it back and one that pulls it back swings without growing or decaying; half
// the step makes a quarter of the error.
TEST(BodyMotion, SwingsAtItsFrequencyInStaggeredSteps) {
    Body body = top();
    body.centre = {0.1, 0, 0};
    body.velocity = {};
    body.angular_velocity = {};
    body.turns = {0, 1, 0};
    const double k = 12, torsion = 8; // ω = 2 rad/s for both
    double error[2];
    for (int fine = 0; fine < 2; ++fine) {
        const int count = fine ? 20000 : 10000; // 32 periods, to the end of one
        const double dt = 32 * 3.14159265358979324 / count;
        double highest = 0;
        Body twisted = body;
        twisted.angular_velocity = {0, 0.2, 0};
        const BodyState end =
            staggered(twisted, std::vector<double>(count, dt), {}, [&](const BodyState& at, std::size_t) {
                highest = std::max(highest, at.centre.x);
                return BodyLoads{{-k * at.centre, {0, -torsion * turning_angles(at).y, 0}}, {}};
            });
        EXPECT_LT(highest, 0.1 * (1 + 1e-9));
        EXPECT_NEAR(end.centre.x, 0.1, 1e-4);
        EXPECT_NEAR(end.angular_velocity.y, 0.2, 1e-4);
        error[fine] = std::abs(end.velocity.x);
        EXPECT_LT(error[fine], 5e-3);
    }
    EXPECT_NEAR(error[0] / error[1], 4, 0.2);
}

TEST(BodyMotion, FollowsAnImposedVelocityInStaggeredStepsAndThenGoesOnFreely) {
    Body body = top();
    body.imposed_velocity = {0, 2};
    body.velocity = {2, 0, 1};
    const std::vector<SeriesSample> series = ramp();
    const BodyState during = staggered(body, uneven_steps(1000), {{0, 0, -9.81}, series.data()});
    EXPECT_NEAR(during.velocity.x, 3, 1e-9);
    EXPECT_NEAR(during.velocity_previous.x, 3 - 0.6e-3 * 2, 1e-9); // as it was half a step before
    EXPECT_NEAR(during.centre.x, 1 + 0.5 * 2 + 1.25, 1e-9);
    EXPECT_NEAR(during.velocity.z, 1 - 9.81, 1e-9);
    const BodyState later = staggered(body, uneven_steps(2500), {{7, 0, 0}, series.data()});
    EXPECT_NEAR(later.velocity.x, 4 + 7 * 1.0, 1e-2);
    EXPECT_NEAR(later.centre.x, 1 + 1 + 3 + 4 + 3.5, 1e-2);
}

TEST(BodyMotion, TurnsAsImposedWhateverTheMomentInStaggeredSteps) {
    Body body = top();
    body.centre = {};
    body.velocity = {};
    body.angular_velocity = {2, 0, 0};
    body.imposed_turning = {0, 2};
    std::vector<SeriesSample> series = ramp();
    series[1].given = {1, 0, 0};
    const BodyState state = staggered(body, uneven_steps(1500), {{}, series.data()}, [](const BodyState&, std::size_t) {
        return BodyLoads{{{}, {1e3, 0, 0}}, {}};
    });
    EXPECT_NEAR(state.angular_velocity.x, 4, 1e-9);
    EXPECT_NEAR(state.angular_velocity_previous.x, 4 - 0.6e-3 * 2, 1e-9);
    EXPECT_NEAR(turning_angles(state).x, 4 - 2 * 3.14159265358979, 1e-8);
    EXPECT_EQ(state.angular_velocity.y, 0);
}

// The moment about an axis on which the turning is imposed is taken by what imposes it, and turns no other that it is
// coupled to.
TEST(BodyMotion, AKickTurnsNothingByTheMomentOfAnImposedAxis) {
    Body body = top();
    body.inertia[0] = {2, 0.5, 0};
    body.inertia[1] = {0.5, 2, 0};
    body.angular_velocity = {2, 0, 0};
    body.imposed_turning = {0, 2};
    const std::vector<SeriesSample> series{{0, {2, 0, 0}, {}, {}, {1, 0, 0}}, {9, {2, 0, 0}, {}, {}, {1, 0, 0}}};
    const BodyState middle = after_stage(BodyStage::kick, body, initial_state(body), {{{}, {1e3, 0, 0}}, {}, 0},
                                         {{}, series.data()}, 0, 0.005, 0);
    EXPECT_NEAR(middle.angular_velocity.x, 2, 1e-12);
    EXPECT_NEAR(middle.angular_velocity.y, 0, 0.05);
}

TEST(BodyMotion, AnOuterForceAddsToTheLoadsInStaggeredSteps) {
    Body body = top();
    body.velocity = body.angular_velocity = {};
    body.outer_force = {0, 2};
    body.outer_moment = {2, 1};
    std::vector<SeriesSample> series = ramp();
    series.push_back({0, {0, 0, 5}, {}, {}});
    const BodyState state = staggered(body, uneven_steps(1500), {{}, series.data()});
    EXPECT_NEAR(state.velocity.x, 4.0 / 3, 1e-9); // ∫ to 1.5 s: 1 + 3 N s
    EXPECT_NEAR(state.angular_velocity.z, 5 * 1.5, 1e-9);
}

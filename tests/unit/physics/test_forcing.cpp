// SPDX-License-Identifier: Apache-2.0
#include "physics/effective_gravity.h"
#include "physics/forcing.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

void expect_near(const Vec3d& a, const Vec3d& b, double tolerance = 1e-12) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], tolerance) << axis;
}

/// dv/dt by a zone.
Vec3d damping(const DampingZone& zone, const Vec3d& place, const Vec3d& v) {
    const double rate = -damping_rate(zone, place);
    return {rate * zone.factor.x * v.x, rate * zone.factor.y * v.y, rate * zone.factor.z * v.z};
}

DampingZone plane() {
    DampingZone zone;
    zone.inner_min = {4, 0, 0};
    zone.outer_min = {6, 0, 0};
    zone.over_limit = 1;
    zone.rate = 8;
    return zone;
}

/// Undamped for 4 m along every axis, and then damped for 2 m on all sides.
DampingZone box_zone() {
    DampingZone zone;
    zone.shape = DampingZone::Shape::box;
    zone.inner_min = {0, 0, 0};
    zone.inner_max = {4, 4, 4};
    zone.outer_min = {-2, -2, -2};
    zone.outer_max = {6, 6, 6};
    zone.rate = 8;
    return zone;
}

} // namespace

TEST(Damping, GrowsWithTheSquareOfTheDepthIntoAPlaneZone) {
    const Vec3d v{1, -2, 3};
    const auto at = [&](double x) { return damping(plane(), {x, 7, -9}, v); };
    expect_near(at(3.9), {});
    expect_near(at(5), -2.0 * v);   // 8·(1/2)²
    expect_near(at(5.5), -4.5 * v); // 8·(3/4)²
    expect_near(at(6.9), -8.0 * v);
    expect_near(at(7.1), {});
    DampingZone zone = plane();
    zone.factor = {1, 0.5, 0};
    expect_near(damping(zone, {5, 0, 0}, v), {-2, 2, 0});
    zone = plane(); // along a slanted direction
    zone.outer_min = {5, 1, 0};
    expect_near(damping(zone, {4.5, 0.5, 3}, v), -2.0 * v);
    expect_near(damping(zone, {5, 0, 3}, v), -2.0 * v);
}

TEST(Damping, OfAPlaneActsInItsDomainOnly) {
    DampingZone zone = plane();
    zone.has_domain = true;
    zone.z_min = -1;
    zone.z_max = 1;
    for (const bool clockwise : {false, true}) {
        const Vec3d corners[4] = {{0, -1, 0}, {10, -1, 0}, {10, 2, 0}, {0, 2, 0}};
        for (int i = 0; i < 4; ++i) zone.corner[i] = corners[clockwise ? 3 - i : i];
        expect_near(damping(zone, {5, 1.9, 0.5}, {1, 0, 0}), {-2, 0, 0});
        expect_near(damping(zone, {5, 2.1, 0.5}, {1, 0, 0}), {});
        expect_near(damping(zone, {5, 1.9, 1.5}, {1, 0, 0}), {});
    }
}

// As far as over_limit beyond the outer box it acts in full, and not farther; the same on all six sides.
TEST(Damping, OfABoxEndsBeyondItsOuterBox) {
    DampingZone zone = box_zone();
    zone.over_limit = 0.5;
    for (int axis = 0; axis < 3; ++axis)
        for (const bool upper : {false, true}) {
            const auto at = [&](double beyond) {
                Vec3d p{2, 2, 2};
                p[axis] = upper ? 6 + beyond : -2 - beyond;
                return damping(zone, p, {1, 0, 0}).x;
            };
            EXPECT_NEAR(at(-0.5), -8 * 0.75 * 0.75, 1e-12);
            EXPECT_NEAR(at(0.4), -8, 1e-12);
            EXPECT_EQ(at(0.6), 0);
        }
    EXPECT_EQ(damping(zone, {5, 2, 6.6}, {1, 0, 0}).x, 0) << "beyond one side, if not beyond another";
}

TEST(Damping, OfABoxActsBeyondTheInnerBoxOnActiveFaces) {
    DampingZone zone = box_zone();
    zone.outer_max.y = 5;
    const Vec3d v{1, 0, 0};
    expect_near(damping(zone, {2, 2, 2}, v), {});
    expect_near(damping(zone, {5, 2, 2}, v), {-2, 0, 0});
    expect_near(damping(zone, {5, 4.75, 2}, v), {-4.5, 0, 0}); // the deeper of two faces
    expect_near(damping(zone, {6.1, 2, 2}, v), {});
    zone.active[1] = false; // +x
    expect_near(damping(zone, {5, 2, 2}, v), {});
    expect_near(damping(zone, {-1, 2, 2}, v), {-2, 0, 0});
}

TEST(Damping, OfABoxKnowsItsSixFacesApart) {
    const Vec3d v{1, 0, 0}, middle{2, 2, 2};
    for (int face = 0; face < 6; ++face) {
        DampingZone zone = box_zone();
        for (int other = 0; other < 6; ++other) zone.active[other] = other == face; // -x, +x, -y, +y, -z, +z
        for (int other = 0; other < 6; ++other) {
            Vec3d p = middle;
            p[other / 2] = other % 2 ? 5 : -1;
            expect_near(damping(zone, p, v), other == face ? Vec3d{-2, 0, 0} : Vec3d{});
        }
    }
}

TEST(Damping, OfACylinderActsOutsideOfARadius) {
    DampingZone zone;
    zone.shape = DampingZone::Shape::cylinder;
    zone.axis_point = {1, 1, 0};
    zone.inner_radius = 5;
    zone.outer_radius = 7;
    zone.rate = 8;
    const Vec3d v{0, 0, 1};
    expect_near(damping(zone, {1, 5, 3}, v), {});
    expect_near(damping(zone, {1, 7, -3}, v), {0, 0, -2});
    expect_near(damping(zone, {4.6, 5.8, 9}, v), {0, 0, -2}); // 6 from the axis
}

// An e-folding takes 1/(β s²), whatever the steps: of any length, and in the leaps of Verlet's levels.
TEST(Damping, LeavesOneOverEAfterAnEFolding) {
    const Vec3d v{1, -2, 3};
    for (const LevelStep step : {LevelStep{0, 0.5, 1}, LevelStep{0, 0.25, 2}})
        expect_near(damped(plane(), {5, 0, 0}, v, step), std::exp(-1.0) * v); // 8·(1/2)² = 2 1/s
    Vec3d levels[2] = {v, std::exp(-0.05 * 8) * v}; // n−1 and n, in steps of 0.05 s at the full rate
    for (int n = 0; n < 9; ++n) {
        const Vec3d next = damped(plane(), {6.5, 0, 0}, levels[0], {0, 0.05, 2});
        levels[0] = levels[1];
        levels[1] = next;
    }
    expect_near(levels[1], std::exp(-0.5 * 8) * v);
    DampingZone zone = plane();
    zone.rate = 1e9; // large against any step
    expect_near(damped(zone, {6, 0, 0}, v, {0, 1e-3, 2}), {});
    zone.factor = {1, 0.5, 0};
    zone.rate = 8;
    expect_near(damped(zone, {6, 0, 0}, v, {0, 0.125, 1}), {std::exp(-1.0), -2 * std::exp(-0.5), 3});
}

TEST(AccelerationInputs, AreLinearInTimeAndAddTheTermsOfATurningFrame) {
    AccelerationInput input;
    input.first_id = 3;
    input.last_id = 5;
    input.start = 1;
    input.end = 9;
    input.centre = {1, 0, 0};
    input.constant = {0, 0, 9.81};
    input.sample_count = 3;
    // V and ω are the integrals of the columns before them
    const AccelerationSample samples[] = {{0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                                          {2, {0, 0, 4}, {0, 2, 0}, {0, 0, 4}, {0, 2, 0}},
                                          {4, {2, 0, 4}, {0, 2, 0}, {2, 0, 12}, {0, 6, 0}}};
    EXPECT_EQ(frame_at(input, samples, 0.5).last_id, 0U);
    EXPECT_EQ(frame_at(input, samples, 9).last_id, 0U);
    const ForcedFrame early = frame_at(input, samples, 1);
    expect_near(early.linear, {0, 0, 2 + 9.81});
    expect_near(early.angular, {0, 1, 0});
    expect_near(early.velocity, {0, 0, 1}); // ∫ 2t dt
    expect_near(early.angular_velocity, {0, 0.5, 0});
    const ForcedFrame now = frame_at(input, samples, 3);
    expect_near(now.linear, {1, 0, 4 + 9.81});
    expect_near(now.velocity, {0.5, 0, 8});
    expect_near(now.angular_velocity, {0, 4, 0});
    // r = (2, 0, 1), α = 2 e_y, ω = 4 e_y, v = (1.5, 0, 7): α×r = (2, 0, −4), ω×(ω×r) = −16 (2, 0, 1),
    // 2ω×v = 8 (7, 0, −1.5)
    expect_near(now.acceleration({3, 0, 1}, {1.5, 0, 7}), {1 + 2 + 32 + 56, 0, 4 + 9.81 - 4 + 16 - 12});
    const ForcedFrame late = frame_at(input, samples, 6); // the last one lasts
    expect_near(late.linear, {2, 0, 4 + 9.81});
    expect_near(late.velocity, {6, 0, 20});
    const auto sum = [&](std::uint32_t id) { return forced_acceleration(&early, 1, id, {1, 0, 0}, {}); };
    expect_near(sum(2), {});
    expect_near(sum(3), {0, 0, 11.81});
    expect_near(sum(5), {});
}

// DualSPHysics 5.4: velocities linear between the rows, ω×(ω×r) with the other sign, of 2ω×V the second halves only,
// and none of it while the angular acceleration is zero.
TEST(AccelerationInputs, HaveTheTermsOfTheReferenceWhereTheyAreAskedFor) {
    AccelerationInput input;
    input.centre = {1, 0, 0};
    input.sample_count = 3;
    input.rotation = Rotation::of_reference;
    const AccelerationSample samples[] = {{0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
                                          {2, {0, 0, 4}, {0, 2, 0}, {0, 0, 8}, {0, 4, 0}},
                                          {4, {2, 0, 4}, {1, 2, 3}, {4, 0, 16}, {2, 8, 6}}};
    const ForcedFrame now = frame_at(input, samples, 3);
    expect_near(now.velocity, {2, 0, 12});
    expect_near(now.angular_velocity, {1, 6, 3});
    // α = (0.5, 2, 1.5), r = (2, 0, 1): α×r = (2, 2.5, −4), ω×r = (6, 5, −12), ω×(ω×r) = (−87, 30, −31);
    // v = (1.5, 0, 7): 2ω×v = (84, −5, −18); 2 (ω_z V_y, ω_x V_z, ω_y V_x) = (0, 24, 24)
    expect_near(now.acceleration({3, 0, 1}, {1.5, 0, 7}),
                {1 + 2 - 87 + 84, 0 + 2.5 + 30 - 5 + 24, 4 - 4 - 31 - 18 + 24});
    const ForcedFrame late = frame_at(input, samples, 9); // the last ones last
    expect_near(late.velocity, {4, 0, 16});
    expect_near(late.angular_velocity, {2, 8, 6});
    ForcedFrame steady = now;
    steady.angular = {};
    expect_near(steady.acceleration({3, 0, 1}, {1.5, 0, 7}), {1, 0, 4});
}

namespace {

/// A tank with its axes e in space, the place and velocity of the point in it that is the input's centre, and a
/// particle in it: where it is from the centre and how it moves, as the tank sees it.
struct Tank {
    Vec3d e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, centre, velocity, r, v;

    Tank plus(double dt, const Tank& rate) const {
        Tank sum = *this;
        for (int k = 0; k < 3; ++k) sum.e[k] = e[k] + dt * rate.e[k];
        sum.centre = centre + dt * rate.centre;
        sum.velocity = velocity + dt * rate.velocity;
        sum.r = r + dt * rate.r;
        sum.v = v + dt * rate.v;
        return sum;
    }
    Vec3d in_space(const Vec3d& a) const { return a.x * e[0] + a.y * e[1] + a.z * e[2]; }
    Vec3d in_tank(const Vec3d& a) const { return {dot(a, e[0]), dot(a, e[1]), dot(a, e[2])}; }
};

/// The tank turns at −ω and its centre has the acceleration −a; the particle feels what the input says.
Tank rate_of(const Tank& now, const ForcedFrame& frame) {
    Tank rate;
    const Vec3d turning = now.in_space(-1.0 * frame.angular_velocity);
    for (int k = 0; k < 3; ++k) rate.e[k] = cross(turning, now.e[k]);
    rate.centre = now.velocity;
    rate.velocity = now.in_space(-1.0 * frame.linear);
    rate.r = now.v;
    rate.v = frame.acceleration(frame.centre + now.r, now.v);
    return rate;
}

/// After `time` (s), by the classical Runge–Kutta method.
template <class FrameAt>
Tank after(Tank tank, double time, const FrameAt& frame) {
    const int steps = 2000;
    const double dt = time / steps;
    for (int n = 0; n < steps; ++n) {
        const double t = n * dt;
        const Tank k1 = rate_of(tank, frame(t)), k2 = rate_of(tank.plus(0.5 * dt, k1), frame(t + 0.5 * dt)),
                   k3 = rate_of(tank.plus(0.5 * dt, k2), frame(t + 0.5 * dt)),
                   k4 = rate_of(tank.plus(dt, k3), frame(t + dt));
        tank = tank.plus(dt / 6, k1).plus(dt / 3, k2).plus(dt / 3, k3).plus(dt / 6, k4);
    }
    return tank;
}

} // namespace

// A particle that nothing acts on goes straight on, however the tank moves that looks at it: linear and angular parts
// together, about axes that change, and with a centre anywhere.
TEST(AccelerationInputs, AFreeParticleGoesStraightOnInSpace) {
    AccelerationInput input;
    input.sample_count = 3;
    const AccelerationSample samples[] = {
        {0, {1, -2, 3}, {0, 2, -1}, {}, {}},
        {1, {-3, 1, 0.5}, {3, 0, 1}, {-1, -0.5, 1.75}, {1.5, 1, 0}},
        {2, {2, 0, 1}, {-1, 1, 2}, {-1.5, 0, 2.5}, {2.5, 1.5, 1.5}},
    };
    for (const Vec3d& centre : {Vec3d{0, 0, 0}, Vec3d{5, -3, 2}}) {
        input.centre = centre;
        Tank start;
        start.centre = {0.3, 0.2, -0.1};
        start.velocity = {0.5, -1, 0.25};
        start.r = {1, 2, -0.5};
        start.v = {-0.75, 0.5, 1};
        const Vec3d place = start.centre + start.r, speed = start.velocity + start.v; // the tank does not turn yet
        const Tank end = after(start, 2, [&](double t) { return frame_at(input, samples, t); });
        expect_near(end.r, end.in_tank(place + 2.0 * speed - end.centre), 1e-9);
        const Vec3d turning = -1.0 * frame_at(input, samples, 2).angular_velocity;
        expect_near(end.v, end.in_tank(speed - end.velocity) - cross(turning, end.r), 1e-9);
    }
}

// A tank that turns about an axis Q, told by its turning about Q, or by that about another of its points P and the
// acceleration of P on its way around Q: the fluid feels the same.
TEST(AccelerationInputs, TurningAboutAnotherPointIsThatAndTheAccelerationOfThePoint) {
    const Vec3d axis{1, 0.5, 0}, other{-0.5, 2, 0.25}, angular{0, 0, 3}, omega{0, 0, 4}, arm = other - axis;
    ForcedFrame about_axis, about_other;
    about_axis.centre = axis;
    about_other.centre = other;
    about_axis.angular = about_other.angular = angular;
    about_axis.angular_velocity = about_other.angular_velocity = omega;
    // P is accelerated by (dω_f/dt)×arm + ω_f×(ω_f×arm) with ω_f = −ω; the fluid feels the opposite
    about_other.linear = cross(angular, arm) - cross(omega, cross(omega, arm));
    for (const Vec3d& place : {Vec3d{0, 0, 0}, Vec3d{2, -1, 3}})
        expect_near(about_other.acceleration(place, {1, 2, 3}), about_axis.acceleration(place, {1, 2, 3}));
}

// Solid-body rotation with gravity down: what acts has the potential g z − ω²r²/2, so a surface at rest is
// z = z0 + ω²r²/2g.
TEST(AccelerationInputs, TurningPressesWaterOutwards) {
    ForcedFrame frame;
    frame.centre = {1, 2, 0};
    frame.angular_velocity = {0, 0, 5};
    expect_near(frame.acceleration({1.5, 2, 7}, {}), {12.5, 0, 0}); // ω² r
    expect_near(frame.acceleration({1, 1, 0}, {}), {0, -25, 0});
    expect_near(frame.acceleration({1.5, 2, 0}, {0, 1, 0}), {12.5 - 10, 0, 0}); // 2ω×v
}

TEST(Forcing, ActsOnWhatOpenBoundariesCreateWhereItSaysSo) {
    AccelerationInput input;
    input.first_id = 3;
    input.last_id = 5;
    input.sample_count = 1;
    const AccelerationSample sample{0, {1, 0, 0}, {}, {}, {}};
    const auto acts_on = [&](std::uint32_t id) {
        const ForcedFrame frame = frame_at(input, &sample, 0);
        return forced_acceleration(&frame, 1, id, {}, {}).x == 1;
    };
    for (const std::uint32_t id : {2U, 5U, 100U}) EXPECT_FALSE(acts_on(id)) << id;
    EXPECT_TRUE(acts_on(3) && acts_on(4));
    input.created_id = 100;
    EXPECT_FALSE(acts_on(99));
    EXPECT_TRUE(acts_on(100) && acts_on(4000000000U));
}

namespace {

/// Two parts of the fluid, particles 3 to 5 and 6 to 9; what accelerates the first does the other where `all`.
RunSetup accelerated(bool all) {
    RunSetup setup;
    setup.constants.gravity = {0, 0, -9.81};
    setup.constants.diffusion = sph::DensityDiffusion::fourtakas;
    setup.groups = ParticleGroups(
        {{1, 0, ParticleType::fixed, 0, 3}, {2, 0, ParticleType::fluid, 3, 3}, {3, 1, ParticleType::fluid, 6, 4}});
    setup.forcing.samples = {{1, {2, 0, 0}, {}, {}, {}}, {3, {4, 0, -2}, {0, 5, 0}, {}, {}}};
    AccelerationInput input;
    input.first_id = 3;
    input.last_id = 6;
    input.sample_count = 2;
    setup.forcing.inputs = {input};
    if (!all) return setup;
    input.first_id = 6;
    input.last_id = 10;
    setup.forcing.inputs.push_back(input);
    return setup;
}

} // namespace

TEST(EffectiveGravity, IsGravityAndWhatAllTheFluidSharesOfTheLinearAccelerations) {
    const RunSetup plain = accelerated(false);
    RunSetup setup = accelerated(true);
    EXPECT_EQ(effective_gravity(setup, 0), (Vec3d{2, 0, -9.81}));
    EXPECT_EQ(effective_gravity(setup, 2), (Vec3d{3, 0, -10.81}));
    EXPECT_EQ(effective_gravity(setup, 9), (Vec3d{4, 0, -11.81}));
    EXPECT_EQ(effective_gravity(plain, 2), setup.constants.gravity); // a part of it only
    EXPECT_EQ(pair_constants_at(setup, 2).gravity, effective_gravity(setup, 2));
    EXPECT_EQ(setup.constants_at(2).gravity, setup.constants.gravity); // which is that of the step
    setup.forcing.inputs[0].start = setup.forcing.inputs[1].start = 1.5;
    setup.forcing.inputs[0].end = setup.forcing.inputs[1].end = 4;
    EXPECT_EQ(effective_gravity(setup, 1.4), setup.constants.gravity);
    EXPECT_EQ(effective_gravity(setup, 4), setup.constants.gravity);
    setup.forcing.inputs[0].constant = setup.forcing.inputs[1].constant = -1.0 * setup.constants.gravity;
    EXPECT_EQ(effective_gravity(setup, 3), (Vec3d{4, 0, -2})); // gravity is off
    setup.forcing.inputs[1].constant = {};
    EXPECT_EQ(effective_gravity(setup, 3), setup.constants.gravity); // for one of them only
    setup.forcing.inputs.clear();
    EXPECT_EQ(effective_gravity(setup, 2), setup.constants.gravity);
}

TEST(EffectiveGravity, IsAskedForInTimeOnlyWhereItChangesAnything) {
    RunSetup setup = accelerated(true);
    EXPECT_TRUE(has_pairs_in_time(setup));
    setup.constants.diffusion = sph::DensityDiffusion::molteni;
    EXPECT_FALSE(has_pairs_in_time(setup));
    setup.viscosity = {{0, 0.1}, {1, 0.2}};
    EXPECT_TRUE(has_pairs_in_time(setup));
    setup.viscosity.clear();
    setup.constants.diffusion = sph::DensityDiffusion::fourtakas_full;
    EXPECT_TRUE(has_pairs_in_time(setup));
    setup.forcing.samples[1].linear = setup.forcing.samples[0].linear; // it turns only
    EXPECT_FALSE(has_pairs_in_time(setup));
    setup.forcing.inputs[0].end = 4;
    EXPECT_TRUE(has_pairs_in_time(setup));
    setup.forcing.inputs.clear();
    EXPECT_FALSE(has_pairs_in_time(setup));
}

// SPDX-License-Identifier: Apache-2.0
#include "colliding_rig.h"

#include <gtest/gtest.h>

// Impacts, rest and friction of bodies against what they are exactly.

using namespace sluice;
using namespace sluice::test;

namespace {

/// The greatest height (m) of body 0 above where it touches the floor, between its first and its second impact.
double rebound(CollidingRig& rig, double dt, double start) {
    bool fell = false;
    double highest = 0, last = rig.states[0].velocity.z;
    for (int n = 0; n < static_cast<int>(3 / dt); ++n) {
        rig.step(dt);
        const double v = rig.states[0].velocity.z;
        if (last < 0 && v >= 0) {
            if (fell) break;
            fell = true;
        }
        if (fell) highest = std::max(highest, rig.states[0].centre.z - start);
        if (fell && v < 0 && last >= 0) break;
        last = v;
    }
    return highest;
}

} // namespace

TEST(Collisions, ABoxReboundsToTheSquareOfItsRestitution) {
    for (const double dt : {1e-4, 1e-3})
        for (const double e : {0.0, 0.5, 0.8, 1.0}) {
            CollidingRig rig;
            rig.material.restitution = e;
            rig.floor();
            rig.add_box({0, 0, 1.1});
            rig.assemble();
            EXPECT_NEAR(rebound(rig, dt, 0.1), e * e, 0.002 * e * e + 1e-9) << e << " " << dt;
            EXPECT_NEAR(norm(rig.states[0].angular_velocity), 0, 1e-7);
        }
}

TEST(Collisions, ABallReboundsInEveryStageOfTimeIntegration) {
    for (const BodyStage stage : {BodyStage::symplectic, BodyStage::verlet_leap}) {
        CollidingRig rig;
        rig.stage = stage;
        rig.material.restitution = 0.6;
        rig.floor();
        rig.add_ball({0, 0, 1.1}, 0.1);
        rig.assemble();
        EXPECT_NEAR(rebound(rig, 1e-3, 0.1), 0.36, 0.002 * 0.36);
    }
}

// All bounces from 1 m last √(2h/g) (1 + e)/(1 − e).
TEST(Collisions, BouncesEndWhenTheirSeriesDoes) {
    for (const auto& [e, end] : {std::pair{0.5, 1.3546}, {0.65, 2.1286}, {0.8, 4.0637}}) {
        CollidingRig rig;
        rig.material.restitution = e;
        rig.floor();
        rig.add_box({0, 0, 1.1});
        rig.assemble();
        double last = 0; // time at which it still moved
        for (int n = 0; n < 20000; ++n) {
            rig.step(2.5e-4);
            if (std::fabs(rig.states[0].velocity.z) > 1e-6) last = rig.time;
        }
        EXPECT_NEAR(last, end, 0.005 * end) << e;
        EXPECT_NEAR(rig.states[0].centre.z, 0.1, 1e-6);
    }
}

TEST(Collisions, ABlockOnASlopeStaysOrSlides) {
    const double tilt = std::atan(0.5);
    for (const double friction : {0.55, 0.3, 0.0})
        for (const double dt : {1e-4, 1e-3}) {
            CollidingRig rig;
            rig.material.friction = rig.material.static_friction = friction;
            rig.floor(tilt);
            const Vec3d up{std::sin(tilt), 0, std::cos(tilt)}, down{std::cos(tilt), 0, -std::sin(tilt)};
            rig.add_box(0.1 * up, {0.4, 0.2, 0.2}, tilt);
            rig.assemble();
            rig.run(dt, static_cast<int>(1 / dt));
            const Vec3d way = rig.states[0].centre - 0.1 * up;
            const double a = friction > 0.5 ? 0 : earth_g * (std::sin(tilt) - friction * std::cos(tilt));
            EXPECT_NEAR(dot(way, down), 0.5 * a, 1e-7) << friction;
            EXPECT_NEAR(dot(way, up), 0, 1e-7) << friction;
            EXPECT_NEAR(way.y, 0, 1e-7) << friction;
            EXPECT_NEAR(norm(rig.states[0].angular_velocity), 0, 1e-7);
        }
}

// What does not slip bears more: tan α between both coefficients.
TEST(Collisions, StaticFrictionHoldsWhatKineticDoesNot) {
    const double tilt = std::atan(0.4);
    CollidingRig rig;
    rig.material.friction = 0.3;
    rig.material.static_friction = 0.5;
    rig.floor(tilt);
    const Vec3d up{std::sin(tilt), 0, std::cos(tilt)}, down{std::cos(tilt), 0, -std::sin(tilt)};
    rig.add_box(0.1 * up, {0.4, 0.2, 0.2}, tilt);
    rig.assemble();
    rig.run(1e-3, 500);
    EXPECT_NEAR(dot(rig.states[0].centre - 0.1 * up, down), 0, 1e-8);
    rig.states[0].velocity = 0.5 * down;
    rig.run(1e-3, 500);
    EXPECT_NEAR(dot(rig.states[0].velocity, down), 0.5 + 0.5 * earth_g * (std::sin(tilt) - 0.3 * std::cos(tilt)), 1e-6);
}

// A ball that slides at v without spin rolls at 5/7 v, after 2 v/(7 μ g).
TEST(Collisions, ASlidingBallEndsUpRolling) {
    CollidingRig rig;
    rig.material.friction = rig.material.static_friction = 0.2;
    rig.floor();
    rig.add_ball({0, 0, 0.1}, 0.1);
    rig.bodies[0].velocity = {2, 0, 0};
    rig.assemble();
    const double rolls = 2 * 2 / (7 * 0.2 * earth_g);
    rig.run(rolls / 500, 400);
    EXPECT_NEAR(rig.states[0].velocity.x, 2 - 0.2 * earth_g * rig.time, 1e-6);
    rig.run(rolls / 500, 200);
    EXPECT_NEAR(rig.states[0].velocity.x, 10.0 / 7, 2e-3);
    EXPECT_NEAR(rig.states[0].angular_velocity.y, rig.states[0].velocity.x / 0.1, 1e-6);
}

TEST(Collisions, TenBoxesStandForTenSeconds) {
    CollidingRig rig;
    rig.material = {0.1, 0.4, 0.4, false};
    rig.floor();
    for (int k = 0; k < 10; ++k) rig.add_box({0, 0, 0.1 + 0.2 * k});
    rig.assemble();
    rig.run(1e-3, 10000);
    for (int k = 0; k < 10; ++k) {
        EXPECT_LT(norm(rig.states[std::size_t(k)].centre - rig.bodies[std::size_t(k)].centre), 1e-5) << k;
        EXPECT_LT(norm(rig.states[std::size_t(k)].velocity), 1e-6) << k;
    }
}

// Offset boxes, which bend the stack.
TEST(Collisions, ALeaningStackStands) {
    CollidingRig rig;
    rig.material = {0.3, 0.5, 0.5, false};
    rig.floor();
    for (int k = 0; k < 6; ++k)
        rig.add_box({0.02 * k, 0.005 * (k % 2), 0.1 + 0.2 * k}, {0.2, 0.2, 0.2}, 0, 1 + 0.5 * k);
    rig.assemble();
    rig.run(1e-3, 2000);
    for (int k = 0; k < 6; ++k)
        EXPECT_LT(norm(rig.states[std::size_t(k)].centre - rig.bodies[std::size_t(k)].centre), 1e-5) << k;
    double weight = 0;
    for (const ContactReport& r : rig.colliding->reports())
        if (r.first == 0) weight += r.force.z; // collider 0: the floor
    EXPECT_NEAR(weight, -(6 + 0.5 * 15) * earth_g, 1e-4);
}

// Its centre of mass beyond the edge of what bears it, a box falls.
TEST(Collisions, AnOverhangTips) {
    for (const double beyond : {-0.01, 0.01}) {
        CollidingRig rig;
        rig.material.friction = rig.material.static_friction = 0.5;
        rig.wall(box_surface({0, 0, -0.5}, {1, 1, 1}));
        rig.add_box({0.5 + beyond, 0, 0.05}, {0.4, 0.1, 0.1});
        rig.assemble();
        rig.run(1e-3, 600);
        if (beyond > 0)
            EXPECT_LT(rig.states[0].centre.z, 0);
        else
            EXPECT_NEAR(rig.states[0].centre.z, 0.05, 1e-8);
    }
}

// Two planks across each other touch by their edges and faces alone.
TEST(Collisions, CrossedPlanksRest) {
    CollidingRig rig;
    rig.material.friction = rig.material.static_friction = 0.3;
    rig.floor();
    rig.add_box({0, 0, 0.05}, {1, 0.2, 0.1});
    rig.add_box({0.1, 0, 0.15}, {0.2, 1, 0.1});
    rig.assemble();
    rig.run(1e-3, 500);
    EXPECT_NEAR(rig.states[1].centre.z, 0.15, 1e-6);
    EXPECT_NEAR(norm(rig.states[1].velocity), 0, 1e-5);
}

// Balls without friction that rebound fully keep momentum, angular momentum and energy.
TEST(Collisions, ElasticBallsKeepMomentumAndEnergy) {
    CollidingRig rig;
    rig.gravity = {};
    rig.material.restitution = 1;
    for (int k = 0; k < 8; ++k) {
        const double sign = k % 2 ? 1 : -1;
        rig.add_ball({0.35 * (k % 2), 0.3 * (k / 2 % 2) + 0.05 * k, 0.3 * (k / 4)}, 0.1, 1 + k);
        rig.bodies.back().velocity = {-sign * (1 + 0.1 * k), 0.05 * k, 0.02 * k};
    }
    rig.assemble();
    const double energy = rig.energy();
    const Vec3d momentum = rig.momentum(), angular = rig.angular_momentum();
    double hits = 0;
    for (int n = 0; n < 500; ++n) {
        rig.step(1e-3);
        for (const ContactReport& r : rig.colliding->reports()) hits += norm(r.force) > 0;
    }
    EXPECT_GE(hits, 4);
    EXPECT_NEAR(rig.energy(), energy, 1e-9 * energy);
    EXPECT_LT(norm(rig.momentum() - momentum), 1e-12);
    EXPECT_LT(norm(rig.angular_momentum() - angular), 2e-2 * norm(angular)); // bodies move within a step
}

// A heap of tumbling boxes loses energy and never gains any, and keeps momentum while it touches no wall.
TEST(Collisions, AHeapOnlyLosesEnergy) {
    CollidingRig rig;
    rig.material = {0.2, 0.4, 0.4, false};
    rig.floor();
    for (int k = 0; k < 12; ++k)
        rig.add_box({0.11 * (k % 3), 0.13 * (k % 2), 0.4 + 0.25 * k}, {0.2, 0.15, 0.1}, 0.3 * k);
    rig.assemble();
    double last = rig.energy(), gained = 0;
    for (int n = 0; n < 2500; ++n) {
        rig.step(1e-3);
        gained = std::max(gained, rig.energy() - last);
        last = rig.energy();
    }
    EXPECT_LT(gained, 0.02 * 12 * earth_g * 0.1);
    for (const BodyState& state : rig.states) {
        EXPECT_GT(state.centre.z, 0.03);
        EXPECT_LT(norm(state.velocity), 0.5);
    }
}

// What a solution that fails leaves of its great numbers must not reach the sweeps that follow it.
TEST(Collisions, ManyImpactsAtOnceNeverGainEnergy) {
    CollidingRig rig;
    rig.material = {0.2, 0.4, 0.4, false};
    rig.floor();
    for (int k = 0; k < 200; ++k)
        rig.add_box(
            {0.24 * (k % 5) + 0.02 * (k / 25 % 3), 0.23 * (k / 5 % 5) + 0.015 * (k / 25 % 2), 0.13 + 0.24 * (k / 25)},
            {0.2, 0.2, 0.2}, 0.1 * (k % 3));
    rig.assemble();
    double last = rig.energy();
    for (int n = 0; n < 190; ++n) {
        rig.step(1e-3);
        ASSERT_LE(rig.energy(), last + 0.5) << n;
        last = rig.energy();
    }
}

// Three hundred balls fall into an open box of sheets and stay in it.
TEST(Collisions, ThreeHundredBodiesStayInABox) {
    CollidingRig rig;
    rig.material = {0.3, 0.3, 0.3, false};
    std::vector<Facet> open = box_surface({0, 0, 1}, {1.2, 1.2, 2});
    std::erase_if(open, [](const Facet& f) { return f[0].z == 2 && f[1].z == 2 && f[2].z == 2; });
    rig.wall(open);
    EXPECT_FALSE(rig.collisions.shapes[0].closed);
    for (int k = 0; k < 300; ++k)
        rig.add_ball({-0.5 + 0.11 * (k % 10) + 0.003 * (k % 7), -0.48 + 0.16 * (k / 10 % 6), 0.1 + 0.12 * (k / 60)},
                     0.05);
    rig.assemble();
    rig.run(1e-3, 300);
    for (const BodyState& state : rig.states) {
        EXPECT_LT(std::max(std::fabs(state.centre.x), std::fabs(state.centre.y)), 0.555);
        EXPECT_GT(state.centre.z, 0.045);
    }
}

// What is computed next follows from the states alone: new objects go on as the old ones.
TEST(Collisions, AResumedHeapHasTheSameBits) {
    const auto heap = [] {
        CollidingRig rig;
        rig.material = {0.2, 0.4, 0.5, false};
        rig.floor();
        for (int k = 0; k < 6; ++k) rig.add_box({0.05 * k, 0.02 * k, 0.11 + 0.2 * k}, {0.2, 0.2, 0.18}, 0.1 * k);
        rig.assemble();
        return rig;
    };
    CollidingRig whole = heap(), second = heap();
    whole.run(1e-3, 150);
    second.states = whole.states;
    second.time = whole.time;
    whole.run(1e-3, 100);
    second.run(1e-3, 100);
    for (std::size_t b = 0; b < whole.states.size(); ++b) EXPECT_EQ(whole.states[b], second.states[b]) << b;
}

// Joint and contact in one solution: a bar on a hinge comes to lie on a block, whose force holds half its weight.
TEST(Collisions, AHingedBarRestsOnABlock) {
    CollidingRig rig;
    rig.material.friction = rig.material.static_friction = 0.2;
    rig.wall(box_surface({0.9, 0, -0.5}, {0.2, 0.4, 1}));
    rig.add_box({0.5, 0, 0.05}, {1, 0.1, 0.1});
    JointRequest& request = rig.joints.emplace_back();
    request.joint.end[0] = {0, -1, {0, 0, 0.05}};
    request.joint.end[1] = {-1, -1, {0, 0, 0.05}};
    request.joint.axis = {0, 1, 0};
    request.joint.about_axis = true;
    rig.assemble();
    rig.states[0].angular_velocity = {0, 0, 0};
    rig.run(1e-3, 300);
    double force = 0, moment = 0;
    for (const ContactReport& r : rig.colliding->reports()) {
        force -= r.force.z; // on the bar, the second collider
        moment -= r.force.z * r.point.x - r.force.x * (r.point.z - 0.05);
    }
    EXPECT_NEAR(moment, earth_g / 2, 1e-6);
    EXPECT_GT(force, earth_g / 2);
    EXPECT_NEAR(norm(rig.states[0].centre - Vec3d{0.5, 0, 0.05}), 0, 1e-9);
}

// A pendulum strikes a wall: its hinge holds, and it goes back with e times its speed.
TEST(Collisions, APendulumReboundsFromAWall) {
    CollidingRig rig;
    rig.gravity = {};
    rig.material.restitution = 0.5;
    rig.wall(box_surface({0.5, 0, -0.8}, {0.2, 1, 0.2}));
    rig.add_box({0, 0, -0.5}, {0.1, 0.1, 1});
    rig.bodies[0].angular_velocity = {0, -1, 0};
    rig.bodies[0].velocity = {0.5, 0, 0};
    JointRequest& request = rig.joints.emplace_back();
    request.joint.end[0] = {0, -1, {}};
    request.joint.end[1] = {-1, -1, {}};
    request.joint.axis = {0, 1, 0};
    request.joint.about_axis = true;
    rig.assemble();
    rig.run(1e-3, 1000);
    EXPECT_NEAR(rig.states[0].angular_velocity.y, 0.5, 1e-6);
    const RigidMotion motion = motion_of(rig.bodies[0], rig.states[0]);
    EXPECT_LT(norm(motion.position_of({})), 1e-12);
}

// A wall that rises lifts what stands on it, and throws it up when it stops.
TEST(Collisions, AMovingWallCarriesABody) {
    CollidingRig rig;
    MotionPiece piece;
    piece.kind = MotionKind::translation;
    piece.law = MotionLaw::accelerated;
    piece.acceleration = {0, 0, 2};
    rig.walls.pieces = {piece};
    MotionSegment segment;
    segment.piece_count = 1;
    rig.walls.segments = {segment};
    MovingObject object;
    object.segment_count = 1;
    rig.walls.objects = {object};
    rig.wall(box_surface({0, 0, -0.5}, {1, 1, 1}), 0);
    rig.add_box({0, 0, 0.1});
    rig.assemble();
    rig.run(1e-3, 500);
    EXPECT_NEAR(rig.states[0].centre.z, 0.1 + 0.25, 1e-5);
    EXPECT_NEAR(rig.states[0].velocity.z, 1, 1e-9);
    double force = 0;
    for (const ContactReport& r : rig.colliding->reports()) force -= r.force.z;
    EXPECT_NEAR(force, earth_g + 2, 1e-6);
}

// Bodies that are drawn into each other may keep the overlap, and come apart slowly where it is more.
TEST(Collisions, OverlapsComeApartWithoutSpeed) {
    CollidingRig rig;
    rig.floor();
    rig.add_box({0, 0, 0.097});
    rig.add_box({1, 0, 0.08});
    rig.assemble();
    rig.run(1e-3, 200);
    EXPECT_NEAR(rig.states[0].centre.z, 0.097, 1e-9);
    EXPECT_NEAR(rig.states[1].centre.z, 0.095, 1e-5);
    EXPECT_NEAR(norm(rig.states[1].velocity), 0, 1e-9);
}

TEST(Collisions, HeldBodiesAreWalls) {
    CollidingRig rig;
    rig.material.restitution = 1;
    rig.add_box({0, 0, -0.1});
    rig.add_ball({0, 0, 0.3}, 0.1);
    rig.bodies[0].released = 10;
    rig.assemble();
    rig.run(1e-3, 400);
    EXPECT_EQ(rig.states[0], initial_state(rig.bodies[0]));
    EXPECT_GT(rig.states[1].centre.z, 0.1);
    EXPECT_NEAR(rig.energy(), earth_g * 0.3 - earth_g * 0.1, 1e-9);
}

// SPDX-License-Identifier: Apache-2.0
#include "model/mechanism_builder.h"
#include "scheme/mechanisms.h"
#include "scheme/outer_work.h"

#include <gtest/gtest.h>
#include <numbers>

using namespace sluice;

namespace {

constexpr double g = 9.81;
constexpr double tau = 2 * std::numbers::pi;

/// A box of 1 kg.
Body box(const Vec3d& centre, const Vec3d& size = {1, 0.1, 0.1}) {
    Body body;
    body.mass = 1;
    body.centre = centre;
    for (int axis = 0; axis < 3; ++axis) {
        body.inertia[axis] = {};
        body.inertia[axis][axis] = (dot(size, size) - size[axis] * size[axis]) / 12;
    }
    return body;
}

/// Bodies and joints that move without a run.
struct Rig {
    std::vector<Body> bodies;
    std::vector<JointRequest> joints;
    std::vector<SeriesSample> samples;
    Motions walls;
    Vec3d gravity{0, 0, -g};
    Mechanisms mechanisms;
    std::vector<BodyState> states;
    std::vector<BodyLoads> loads;
    std::vector<mechanism::BodyNumbers> of_bodies;
    std::vector<mechanism::JointNumbers> of_joints;
    std::vector<mechanism::RowNumbers> of_rows;
    std::vector<double> entries;
    double time = 0;
    BodyStage stage = BodyStage::symplectic;

    SeriesRange constant(double value) {
        samples.push_back({0, {value, 0, 0}, {}, {}});
        return {static_cast<int>(samples.size()) - 1, 1};
    }
    /// A joint of bodies, −1: space, at one point.
    Joint& join(JointKind kind, int first, int second, const Vec3d& point) {
        JointRequest& request = joints.emplace_back();
        request.joint.kind = kind;
        request.joint.end[0] = {first, -1, point};
        request.joint.end[1] = {second, -1, point};
        return request.joint;
    }
    Joint& hinge(int first, int second, const Vec3d& point, const Vec3d& axis = {0, 1, 0}) {
        Joint& joint = join(JointKind::hinge, first, second, point);
        joint.axis = axis;
        joint.about_axis = true;
        return joint;
    }
    void assemble() {
        mechanisms = make_mechanisms(bodies.size(), joints, {});
        for (const Body& body : bodies) states.push_back(initial_state(body));
        loads.resize(bodies.size());
        of_bodies.resize(mechanisms.bodies.size());
        of_joints.resize(mechanisms.joints.size());
        of_rows.resize(mechanisms.rows.size());
        entries.resize(std::size_t(mechanisms.entry_count));
    }
    MechanismNumbers numbers() { return {of_bodies.data(), of_joints.data(), of_rows.data(), entries.data()}; }
    MechanismDrive drive() { return {bodies.data(), {gravity, samples.data()}, walls.view()}; }
    void step(double dt) {
        for (int m = 0; m < static_cast<int>(mechanisms.all.size()); ++m)
            advance_mechanism(mechanisms.view(), m, stage, states.data(), loads.data(), states.data(), drive(),
                              numbers(), time, dt);
        time += dt;
    }
    void run(double dt, int steps) {
        for (int n = 0; n < steps; ++n) step(dt);
    }
    std::vector<JointReport> reports(double dt = 1e-6) {
        std::vector<JointReport> all(mechanisms.joints.size());
        for (int m = 0; m < static_cast<int>(mechanisms.all.size()); ++m)
            report_joints(mechanisms.view(), m, states.data(), loads.data(), drive(), numbers(), time, dt,
                          all.data() + mechanisms.all[std::size_t(m)].first_joint);
        return all;
    }
    double gap() {
        double greatest = 0;
        for (const JointReport& r : reports()) greatest = std::max(greatest, r.gap);
        return greatest;
    }
    double energy() const {
        double sum = 0;
        for (std::size_t b = 0; b < bodies.size(); ++b) sum += mechanical_energy(bodies[b], states[b], gravity);
        return sum;
    }
    Vec3d momentum() const {
        Vec3d sum;
        for (std::size_t b = 0; b < bodies.size(); ++b) sum = sum + bodies[b].mass * states[b].velocity;
        return sum;
    }
    /// Of the first body as seen from the origin, down from the level: atan2(−z, x).
    double angle() const { return std::atan2(-states[0].centre.z, states[0].centre.x); }
    double turned_about_y(std::size_t b = 0) const {
        return 2 * std::atan2(states[b].turning[2], states[b].turning[0]);
    }
};

/// Boxes in a row from the origin on, each hinged to the one before, the first to space.
Rig chain(int n) {
    Rig rig;
    for (int b = 0; b < n; ++b) {
        rig.bodies.push_back(box({b + 0.5, 0, 0}));
        rig.hinge(b, b - 1, {double(b), 0, 0});
    }
    rig.assemble();
    return rig;
}

/// θ1, and the change of the energy over that of a quarter turn, after a time from rest at the level.
void expect_chain(int n, double dt, int steps, double angle, double within, double energy_within) {
    Rig rig = chain(n);
    const double start = rig.energy();
    rig.run(dt, steps);
    EXPECT_NEAR(rig.angle(), angle, within) << n;
    EXPECT_LE(std::fabs(rig.energy() - start) / (g * n * n / 2), energy_within) << n;
    EXPECT_LE(rig.gap(), 1e-12) << n;
}

/// A box on a hinge to space at its end.
Rig flap(double spin) {
    Rig rig;
    rig.bodies.push_back(box({0.5, 0, 0}));
    rig.bodies[0].angular_velocity = {0, spin, 0};
    rig.bodies[0].velocity = cross(rig.bodies[0].angular_velocity, rig.bodies[0].centre);
    rig.gravity = {};
    rig.hinge(0, -1, {0, 0, 0});
    return rig;
}

constexpr double flap_inertia = 1.01 / 12 + 0.25;

} // namespace

// Numbers of three other programs, which agree (a Runge–Kutta method in joint coordinates among them).
TEST(Mechanisms, APendulumSwingsAsItDoesElsewhere) {
    expect_chain(1, 1e-4, 10000, 3.1340185518, 1e-9, 1e-12);
    expect_chain(1, 1e-3, 10000, 0.7433296480, 1e-7, 1e-8);
}

TEST(Mechanisms, ADoublePendulumSwingsAsItDoesElsewhere) {
    expect_chain(2, 1e-4, 10000, 2.7751204060, 1e-9, 1e-12);
    expect_chain(2, 1e-4, 100000, 0.8861572435, 1e-7, 1e-11);
    Rig rig = chain(2);
    const double start = rig.energy();
    rig.run(1e-3, 10000);
    EXPECT_LE(std::fabs(rig.energy() - start) / (g * 2), 1e-8);
    EXPECT_LE(rig.gap(), 1e-12);
}

TEST(Mechanisms, AChainOfFiveFallsAsItDoesElsewhere) {
    expect_chain(5, 1e-4, 3000, 0.4442574326, 1e-9, 1e-11);
    expect_chain(5, 1e-4, 20000, 2.9248411877, 1e-8, 1e-9);
}

TEST(Mechanisms, ThePeriodOfAWideSwingIsExact) {
    Rig rig = chain(1);
    const double dt = 1.9357500144 / 4000;
    rig.run(dt, 4000);
    EXPECT_NEAR(rig.angle(), 0, 1e-9);
    EXPECT_NEAR(norm(rig.states[0].velocity), 0, 1e-8);
}

TEST(Mechanisms, CoulombFrictionStopsAHingeAndHoldsIt) {
    Rig rig = flap(10);
    rig.joints[0].joint.friction = 0.5;
    rig.assemble();
    double way = 0, last = 0, stopped = 0;
    for (int n = 0; n < 80000; ++n) {
        rig.step(1e-4);
        const double angle = rig.turned_about_y();
        way += std::remainder(angle - last, 2 * tau);
        last = angle;
        if (stopped == 0 && std::fabs(rig.states[0].angular_velocity.y) < 1e-12) stopped = rig.time;
    }
    EXPECT_NEAR(stopped, flap_inertia * 10 / 0.5, 1.1e-4); // 6.683333 s
    EXPECT_NEAR(way, 33.416667, 1e-6);
    EXPECT_NEAR(rig.states[0].angular_velocity.y, 0, 1e-14);
}

// The weight at the end of an arm is held by a friction that is greater than its moment, and falls under a smaller one.
TEST(Mechanisms, FrictionHoldsAWeightUpToItsBound) {
    for (const double friction : {1.01 * g / 2, 0.9 * g / 2}) {
        Rig rig = flap(0);
        rig.gravity = {0, 0, -g};
        rig.joints[0].joint.friction = friction;
        rig.assemble();
        rig.run(1e-3, 200);
        if (friction > g / 2) {
            EXPECT_NEAR(rig.angle(), 0, 1e-12);
        } else {
            EXPECT_NEAR(rig.angle(), 0.5 * 0.1 * (g / 2) / flap_inertia * 0.04, 1e-3);
        }
        EXPECT_NEAR(rig.reports(1e-3)[0].moment.y, friction > g / 2 ? -g / 2 : -friction, 1e-9);
    }
}

TEST(Mechanisms, ATorsionSpringDecaysExactly) {
    Rig rig = flap(1);
    rig.joints[0].joint.stiffness = rig.constant(15);
    rig.joints[0].joint.damping = rig.constant(0.5);
    rig.assemble();
    const double decay = 0.5 / (2 * flap_inertia), swing = std::sqrt(15 / flap_inertia - decay * decay);
    for (int n = 1; n <= 4; ++n) {
        rig.run(2e-4, 1250);
        EXPECT_NEAR(rig.turned_about_y(), std::exp(-decay * rig.time) * std::sin(swing * rig.time) / swing, 1e-11);
    }
    EXPECT_NEAR(rig.reports()[0].reach, rig.turned_about_y(), 1e-14);
    EXPECT_NEAR(rig.reports()[0].rate, rig.states[0].angular_velocity.y, 1e-14);
}

TEST(Mechanisms, ALinearSpringDecaysExactly) {
    Rig rig;
    rig.bodies.push_back(box({2, 0, 0}));
    rig.bodies[0].velocity = {1, 0, 0};
    rig.gravity = {};
    Joint& spring = rig.join(JointKind::linear_spring, -1, 0, {0, 0, 0});
    spring.end[1].point = {1.5, 0, 0};
    spring.rest_length = 1.5;
    spring.stiffness = rig.constant(40);
    spring.damping = rig.constant(0.8);
    rig.assemble();
    const double decay = 0.4, swing = std::sqrt(40 - decay * decay);
    for (int n = 1; n <= 4; ++n) {
        rig.run(2e-4, 1250);
        EXPECT_NEAR(rig.states[0].centre.x - 2, std::exp(-decay * rig.time) * std::sin(swing * rig.time) / swing,
                    1e-11);
    }
    const JointReport r = rig.reports()[0];
    EXPECT_NEAR(r.reach, rig.states[0].centre.x - 2, 1e-13);
    EXPECT_NEAR(r.force.x, 40 * r.reach + 0.8 * r.rate, 1e-12); // on the first end, space: towards a body that is far
}

TEST(Mechanisms, ASpringFollowsRowsInTime) {
    Rig rig;
    rig.bodies.push_back(box({2, 0, 0}));
    rig.gravity = {};
    Joint& spring = rig.join(JointKind::linear_spring, 0, -1, {2, 0, 0});
    spring.end[1].point = {};
    spring.rest_length = 1;
    rig.samples = {{0, {0, 0, 0}, {2, 0, 0}, {}}, {1, {2, 0, 0}, {}, {1, 0, 0}}};
    spring.stiffness = {0, 2};
    rig.assemble();
    rig.run(1e-3, 500);
    EXPECT_NEAR(rig.reports()[0].force.x, -1.0 * rig.reports()[0].reach, 1e-9); // k = 1 N/m at 0.5 s
    EXPECT_NEAR(rig.states[0].velocity.x, -0.25, 0.02);                         // ∫ 2t dt
}

// In all cases the centre of mass goes down the line by ½ g sinα t², whatever turns: the joint pushes across it alone.
TEST(Mechanisms, ABodySlidesDownALine) {
    const Vec3d line = normalized(Vec3d{20, 0, -3});
    for (const int way : {0, 1, 2, 3}) {
        Rig rig;
        rig.bodies.push_back(box({0.3, 0.1, 4.6}, {0.4, 0.3, 0.2}));
        Joint& joint = rig.join(JointKind::point_line, 0, -1, {0, 0, 5});
        joint.line = joint.axis = line;
        joint.about_axis = way == 1 || way == 2;
        rig.joints[0].turns = way != 2;
        if (way == 3) { // two points of the body on the same line
            rig.joints.push_back(rig.joints[0]);
            rig.joints[1].joint.end[0].point = rig.joints[1].joint.end[1].point = Vec3d{0, 0, 5} + 0.2 * line;
        }
        rig.assemble();
        const Vec3d start = rig.states[0].centre;
        rig.run(1e-3, 1000);
        EXPECT_NEAR(dot(line, rig.states[0].centre - start), 0.7276099, 1e-7) << way;
        rig.run(1e-3, 1000);
        EXPECT_NEAR(dot(line, rig.states[0].centre - start), 2.9104397, 1e-7) << way;
        EXPECT_LE(rig.gap(), 1e-12) << way;
        if (way == 2) {
            EXPECT_NEAR(rig.states[0].turning[0], 1, 1e-12);
        } else {
            EXPECT_LT(std::fabs(rig.states[0].turning[0]), 0.9999) << way; // it does swing
        }
    }
}

TEST(Mechanisms, APulleyTurnsInTheInverseRatioOfItsRadii) {
    Rig rig;
    rig.gravity = {};
    rig.bodies = {box({0, 0, 0}, {0.6, 0.1, 0.6}), box({0, 0, 0.6}, {0.1, 0.1, 0.1})};
    rig.hinge(0, -1, {0, 0, 0});
    rig.hinge(1, -1, {0, 0, 0.6});
    Joint& pulley = rig.join(JointKind::pulley, 0, 1, {0, 0, 0});
    pulley.axis = {0, 1, 0};
    pulley.about_axis = true;
    rig.joints[2].radius[0] = 0.3;
    rig.joints[2].radius[1] = 0.05;
    rig.assemble();
    rig.loads[0].fluid.moment = {0, 0.25, 0};
    rig.run(1e-3, 2000);
    const double inertia = rig.bodies[0].inertia[1].y + rig.bodies[1].inertia[1].y * 36;
    EXPECT_NEAR(rig.states[0].angular_velocity.y, 0.25 * 2 / inertia, 1e-11);
    EXPECT_NEAR(rig.states[1].angular_velocity.y, 6 * rig.states[0].angular_velocity.y, 1e-12);
    EXPECT_LE(rig.gap(), 1e-12);
}

// Two joined bodies that nothing else holds: each joint's forces cancel.
TEST(Mechanisms, JointsKeepMomentum) {
    Rig rig;
    rig.gravity = {};
    rig.bodies = {box({0, 0, 0}), box({1, 0, 0})};
    rig.bodies[1].mass = 3;
    rig.bodies[0].velocity = {0.3, 1, -0.4};
    rig.bodies[1].velocity = {0.3, -0.5, 0.7};
    rig.bodies[0].angular_velocity = {3, 1, 0};
    Joint& ball = rig.join(JointKind::spheric, 0, 1, {0.5, 0, 0});
    ball.stiffness = rig.constant(0.7);
    ball.damping = rig.constant(0.02);
    rig.assemble();
    const Vec3d start = rig.momentum();
    rig.run(1e-3, 3000);
    EXPECT_LT(norm(rig.momentum() - start), 1e-12);
    EXPECT_LE(rig.gap(), 1e-12);
}

// Load and leap of the fluid: over an even number of steps it takes 2Δt F, 0, … or Δt F each, and so does a body.
TEST(Mechanisms, AVerletLeapGivesTheMomentumThatTheFluidLeaves) {
    Rig rig;
    rig.gravity = {};
    rig.bodies = {box({0, 0, 0}), box({1, 0, 0})};
    rig.hinge(0, 1, {0.5, 0, 0});
    rig.assemble();
    const double forces[] = {3, -1, 4, 1, -5};
    double fluid = 0, before = 0;
    for (int n = 0; n < 5; ++n) {
        rig.stage = n == 0 ? BodyStage::verlet_euler : BodyStage::verlet_leap;
        rig.loads[0].fluid.force = {forces[n], 0, 0};
        const double next = n == 0 ? fluid - 0.01 * forces[n] : before - 0.02 * forces[n];
        before = fluid;
        fluid = next;
        rig.step(0.01);
        EXPECT_NEAR(rig.momentum().x + fluid, 0, 1e-14);
    }
}

TEST(Mechanisms, AHingeIsWhatHoldingTheOtherAxesIs) {
    Rig rig;
    rig.bodies = {box({1, 2, 3}, {0.3, 0.4, 0.5})};
    rig.bodies[0].angular_velocity = {0, 2, 0};
    rig.hinge(0, -1, {1, 5, 3});
    rig.assemble();
    rig.loads[0].fluid = {{3, 1, -2}, {1, 0.4, -2}};
    Body held = rig.bodies[0];
    held.translates = {};
    held.turns = {0, 1, 0};
    BodyState state = initial_state(held);
    for (int n = 0; n < 1000; ++n)
        state = advanced(held, state, rig.loads[0].fluid, {rig.gravity, nullptr}, n * 1e-3, 1e-3);
    rig.run(1e-3, 1000);
    EXPECT_NEAR(rig.states[0].angular_velocity.y, state.angular_velocity.y, 1e-11);
    EXPECT_LT(norm(rig.states[0].centre - state.centre), 1e-13);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(rig.states[0].turning[k], state.turning[k], 1e-11);
}

// Three bars and the ceiling hinged in a square: rows across the plane are there twice.
TEST(Mechanisms, RedundantRowsAreDropped) {
    Rig rig;
    rig.bodies = {box({0, 0, -0.5}, {0.1, 0.1, 1}), box({0.5, 0, -1}), box({1, 0, -0.5}, {0.1, 0.1, 1})};
    rig.bodies[0].velocity = {0.5, 0, 0};
    rig.bodies[0].angular_velocity = {0, -1, 0};
    rig.bodies[2].velocity = {0.5, 0, 0};
    rig.bodies[2].angular_velocity = {0, -1, 0};
    rig.bodies[1].velocity = {1, 0, 0};
    rig.hinge(0, -1, {0, 0, 0});
    rig.hinge(1, 0, {0, 0, -1});
    rig.hinge(2, 1, {1, 0, -1});
    rig.hinge(2, -1, {1, 0, 0});
    rig.assemble();
    const double start = rig.energy();
    rig.run(1e-3, 5000);
    const int dropped = static_cast<int>(
        std::count_if(rig.of_rows.begin(), rig.of_rows.end(), [](const auto& row) { return row.pivot == 0; }));
    EXPECT_EQ(dropped, 20 - 17); // 18 velocities, one way to move
    EXPECT_NEAR(rig.energy(), start, 1e-7);
    EXPECT_LE(rig.gap(), 1e-12);
    EXPECT_NEAR(rig.states[1].turning[0], 1, 1e-12); // the lower bar stays level
}

TEST(Mechanisms, AStiffSpringTakesSubSteps) {
    Rig rig;
    rig.bodies = {box({0, 0, 0}), box({2, 0, 0})};
    rig.gravity = {};
    rig.bodies[0].velocity = {1, 0, 0};
    rig.bodies[1].velocity = {-1, 0, 0};
    Joint& spring = rig.join(JointKind::linear_spring, 0, 1, {0.5, 0, 0});
    spring.end[1].point = {1.5, 0, 0};
    spring.rest_length = 1;
    spring.stiffness = rig.constant(1e8); // ω = √2 10⁴ rad/s
    rig.assemble();
    EXPECT_EQ(sub_steps_of(rig.mechanisms.view(), 0, rig.states.data(), rig.loads.data(), rig.drive(), rig.numbers(), 0,
                           1e-3),
              29);
    const double start = rig.energy();
    rig.run(1e-3, 10);
    const double reach = rig.reports()[0].reach;
    EXPECT_NEAR(rig.energy() + 0.5 * 1e8 * reach * reach, start, 0.06); // stable: 22 swings of 13 sub-steps each
}

// Hung from a wall that moves, a pendulum rests where gravity and the wall's acceleration have it.
TEST(Mechanisms, AJointFollowsAWallThatMoves) {
    Rig rig;
    rig.bodies = {box({0, 0, -0.5}, {0.1, 0.1, 1})};
    const double a = 2, tilt = std::atan2(a, g);
    MotionPiece piece;
    piece.kind = MotionKind::translation;
    piece.law = MotionLaw::accelerated;
    piece.acceleration = {a, 0, 0};
    rig.walls.pieces = {piece};
    MotionSegment segment;
    segment.piece_count = 1;
    rig.walls.segments = {segment};
    MovingObject object;
    object.segment_count = 1;
    rig.walls.objects = {object};
    rig.bodies[0].centre = {-0.5 * std::sin(tilt), 0, -0.5 * std::cos(tilt)};
    Joint& joint = rig.hinge(0, -1, {0, 0, 0});
    joint.end[1].wall = 0;
    rig.assemble();
    rig.run(1e-3, 1000);
    EXPECT_NEAR(rig.states[0].centre.x, 0.5 * a - 0.5 * std::sin(tilt), 1e-9);
    EXPECT_NEAR(rig.states[0].centre.z, -0.5 * std::cos(tilt), 1e-9);
    EXPECT_NEAR(rig.states[0].velocity.x, a, 1e-9);
    EXPECT_NEAR(rig.reports(1e-3)[0].force.z, g, 1e-9);
    EXPECT_NEAR(rig.reports(1e-3)[0].force.x, a, 1e-9);
}

TEST(Mechanisms, ImposedVelocitiesHoldBesideJoints) {
    Rig rig;
    rig.bodies = {box({0, 0, 0}), box({1, 0, 0})};
    rig.samples = {{0, {0.5, 0, 0}, {}, {}, {1, 0, 0}}};
    rig.bodies[0].imposed_velocity = {0, 1};
    rig.bodies[0].velocity = {0.5, 0, 0};
    rig.bodies[0].turns = {};
    rig.bodies[0].translates = {1, 0, 0};
    rig.hinge(0, 1, {0.5, 0, 0});
    rig.assemble();
    rig.run(1e-3, 500);
    EXPECT_LT(rig.states[1].centre.z, -0.4); // swings at its end
    rig.run(1e-3, 500);
    EXPECT_NEAR(rig.states[0].centre.x, 0.5, 1e-12);
    EXPECT_EQ(rig.states[0].velocity.x, 0.5);
    EXPECT_LE(rig.gap(), 1e-12);
}

TEST(Mechanisms, BodiesRestUntilTheyAreReleased) {
    Rig rig = chain(2);
    for (Body& body : rig.bodies) body.released = 0.5;
    rig.run(1e-2, 50);
    EXPECT_EQ(rig.states[0], initial_state(rig.bodies[0]));
    rig.run(1e-2, 10);
    EXPECT_LT(rig.states[0].centre.z, 0);
}

// The force of a hinge on a body that hangs still is its weight, and what it bears.
TEST(Mechanisms, AJointReportsWhatItBears) {
    Rig rig;
    rig.bodies = {box({0, 0, -0.5}, {0.1, 0.1, 1}), box({0, 0, -1.5}, {0.1, 0.1, 1})};
    rig.hinge(0, -1, {0, 0, 0});
    rig.hinge(1, 0, {0, 0, -1});
    rig.assemble();
    rig.loads[1].fluid.force = {0, 2, 0};
    rig.run(1e-3, 10);
    std::vector<JointReport> all = rig.reports();
    if (all[0].force.z < all[1].force.z) std::swap(all[0], all[1]);
    EXPECT_NEAR(all[0].force.z, 2 * g, 1e-10);
    EXPECT_NEAR(all[1].force.z, g, 1e-10);
    EXPECT_NEAR(all[0].force.y, -2, 1e-10);
    EXPECT_NEAR(all[0].moment.x, -3, 1e-9); // 2 N across the plane at an arm of 1.5 m
    for (const Vec3d& point : all[1].point) EXPECT_LT(norm(point - Vec3d{0, 0, -1}), 1e-9);
    EXPECT_LT(norm(all[1].axis - Vec3d{0, 1, 0}), 1e-12);
}

// Until bodies are released, what holds them bears their loads; springs pull all the same.
TEST(Mechanisms, JointsOfHeldBodiesBearWhatTheirSpringsDoAlone) {
    Rig held = chain(2);
    for (Body& body : held.bodies) {
        body.released = 0.5;
        body.velocity = {0, 0, 1};
    }
    held.joints[0].joint.friction = 3;
    held.joints[1].joint.stiffness = held.constant(15);
    held.joints[1].joint.damping = held.constant(2);
    Joint& spring = held.join(JointKind::linear_spring, 1, -1, {1.5, 0, 0});
    spring.end[1].point = {1.5, 0, 2};
    spring.stiffness = held.constant(10);
    spring.rest_length = 1.5;
    held.states.clear();
    held.assemble();
    held.loads[1].fluid.force = {1, 2, 3};
    held.time = 0.4;
    for (const JointReport& r : held.reports()) {
        EXPECT_NEAR(norm(r.force), r.axis == Vec3d{} ? 5 : 0, 1e-12);
        EXPECT_EQ(norm(r.moment), 0);
        EXPECT_EQ(r.rate, 0);
    }
    held.time = 0.5;
    EXPECT_GT(norm(held.reports()[0].force), 1);
}

TEST(Mechanisms, FactorsScaleTheForceOfTheFluid) {
    Rig rig;
    rig.bodies = {box({0, 0, 0})};
    rig.gravity = {};
    rig.samples = {{0, {0.5, 2, 1}, {}, {}}};
    rig.bodies[0].force_factors = {0, 1};
    rig.assemble();
    rig.mechanisms = make_mechanisms(1, {}, {0});
    rig.of_bodies.resize(1);
    rig.loads[0].fluid = {{4, 1, 3}, {0, 0.1, 0}};
    rig.run(1e-2, 100);
    EXPECT_NEAR(rig.states[0].velocity.x, 2, 1e-12);
    EXPECT_NEAR(rig.states[0].velocity.y, 2, 1e-12);
    EXPECT_NEAR(rig.states[0].velocity.z, 3, 1e-12);
    EXPECT_NEAR(rig.states[0].angular_velocity.y, 0.1 / rig.bodies[0].inertia[1].y, 1e-9);
}

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scheme/mechanism_solver.h"

// How joints move the bodies of a mechanism over a stage of a step, and what each joint does, on the host. Nothing here
// allocates: the caller gives the arrays.

namespace sluice {

/// What a joint does at one time. Force and moment act on its first end, about the point of it that the joint holds.
struct JointReport {
    Vec3d force;      ///< N (N/m in 2-D)
    Vec3d moment;     ///< N m (N in 2-D)
    double reach = 0; ///< length of a spring less that at rest, way along a line, m; angle of turning, rad
    double rate = 0;  ///< of that, m/s or rad/s
    double gap = 0;   ///< the greatest error of its equations, m (vectors at right angles: rad)
    Vec3d point[2];   ///< that its ends hold, from the domain's lower corner, m
    Vec3d axis;       ///< that it turns about, unit vector; 0 of a joint without
};

namespace mechanism {

/// The axes on which loads move a body in a sub-step, and its velocities on the others.
inline void impose(const Part& p, int b) {
    const Body& given = p.drive->bodies[p.bodies[b]];
    BodyNumbers& n = p.body[b];
    n.translates = given.translates;
    n.turns = given.turns;
    n.last_velocity = n.last_rate = {free_axis, free_axis, free_axis};
    const SeriesSample* const samples = p.drive->drive.samples;
    for (int axis = 0; axis < 3; ++axis) {
        if (given.imposed_velocity.any()) {
            const body::Imposed v = body::imposed_in_step(samples, given.imposed_velocity, axis, p.time, p.dt);
            n.last_velocity[axis] = v.end;
            if (v.in_step) {
                n.translates[axis] = 0;
                n.from.velocity[axis] = v.mean;
            }
        }
        if (given.imposed_turning.any()) {
            const body::Imposed w = body::imposed_in_step(samples, given.imposed_turning, axis, p.time, p.dt);
            n.last_rate[axis] = w.end;
            if (w.in_step) {
                n.turns[axis] = 0;
                n.from.omega[axis] = w.mean;
            }
        }
    }
}

/// One sub-step, from `from` to `from`.
inline void take_sub_step(const Part& p) {
    for (int b = 0; b < p.body_count; ++b) impose(p, b);
    find_friction(p, &BodyNumbers::from);
    run_through(p);
    for (int b = 0; b < p.body_count; ++b) {
        BodyNumbers& n = p.body[b];
        for (int axis = 0; axis < 3; ++axis) {
            if (n.last_velocity[axis] != free_axis) n.to.velocity[axis] = n.last_velocity[axis];
            if (n.last_rate[axis] != free_axis) n.to.omega[axis] = n.last_rate[axis];
        }
    }
    project(p);
    for (int b = 0; b < p.body_count; ++b) p.body[b].from = p.body[b].to;
}

/// The part of a radian that the fastest spring may go through in a sub-step, and the most sub-steps of a stage.
constexpr double widest_swing = 0.5;
constexpr int most_sub_steps = 10000;

inline int sub_steps(double rate, double dt) {
    const double wanted = ceil(rate * dt / widest_swing);
    return wanted > most_sub_steps ? most_sub_steps : wanted > 1 ? static_cast<int>(wanted) : 1;
}

inline Course course_of(const BodyState& s) {
    return {s.centre, {s.turning[0], s.turning[1], s.turning[2], s.turning[3]}, s.velocity, s.angular_velocity};
}

/// The force of the fluid, by the factors that the case gives.
inline Vec3d scaled(const Part& p, const Body& given, Vec3d force) {
    if (given.force_factors.any()) {
        const Vec3d factors = body::mean_of(p.drive->drive.samples, given.force_factors, p.time, p.time + p.dt);
        for (int axis = 0; axis < 3; ++axis) force[axis] *= factors[axis];
    }
    return force;
}

/// Takes the states of all bodies, and the loads of the fluid over a stage.
inline void begin(const Part& p, const BodyState* states, const BodyLoads* loads, bool leaps) {
    for (int j = 0; j < p.joint_count; ++j) p.joint[j] = {};
    for (int b = 0; b < p.body_count; ++b) {
        const int index = p.bodies[b];
        const Body& given = p.drive->bodies[index];
        const BodyLoad outer = outer_load(given, p.drive->drive.samples, p.time, p.time + p.dt);
        BodyNumbers& n = p.body[b];
        const BodyState& state = states[index];
        n.from = course_of(state);
        n.translates = given.translates;
        n.turns = given.turns;
        n.force = scaled(p, given, loads[index].fluid.force);
        if (leaps) n.force = 2.0 * n.force - (given.mass / p.dt) * (state.velocity - state.velocity_previous);
        n.last_velocity = (p.dt / given.mass) * n.force; // until the first sub-step
        n.force = n.force + outer.force + loads[index].mooring.force;
        n.moment = loads[index].fluid.moment + outer.moment + loads[index].mooring.moment;
    }
}

} // namespace mechanism

namespace mechanism {

/// Begins a stage of `dt` (s) from `time`, which sub-steps follow. False: its bodies are held yet, and stay where they
/// are.
inline bool begin_stage(Part& p, BodyStage stage, const BodyState* from, const BodyLoads* loads, BodyState* to,
                        double time, double dt) {
    if (p.body_count == 0) return false;
    if (!is_released(p.drive->bodies[p.bodies[0]], time) || !(dt > 0)) {
        for (int b = 0; b < p.body_count; ++b)
            if (from != to) to[p.bodies[b]] = from[p.bodies[b]];
        return false;
    }
    p.time = time;
    p.dt = dt;
    begin(p, from, loads, stage == BodyStage::verlet_leap);
    for (int b = 0; b < p.body_count; ++b) // what the fluid adds to its velocity
        to[p.bodies[b]].velocity_previous = -1.0 * p.body[b].last_velocity;
    return true;
}

/// Ends it.
inline void end_stage(const Part& p, const BodyState* from, BodyState* to) {
    for (int b = 0; b < p.body_count; ++b) {
        BodyState& state = to[p.bodies[b]];
        const Course& c = p.body[b].to;
        state.centre = c.centre;
        state.velocity = c.velocity;
        for (int k = 0; k < 4; ++k) state.turning[k] = c.turning[k];
        state.angular_velocity = c.omega;
        state.velocity_previous = c.velocity + state.velocity_previous;
        state.angular_velocity_previous = from[p.bodies[b]].angular_velocity_previous; // of staggered steps alone
    }
}

} // namespace mechanism

/// Brings the bodies of a mechanism `dt` (s) on from `time`, under loads of the fluid that do not change. `from` and
/// `to` (all bodies of the run) may be the same. In a Verlet step that is not of the Euler form the fluid takes
/// momentum over 2Δt from level n−1: the bodies get the same less what they got in the step before, which
/// BodyState::velocity_previous holds for bodies of mechanisms (the velocity less what the last loads of the fluid have
/// added to it).
inline void advance_mechanism(const MechanismView& view, int index, BodyStage stage, const BodyState* from,
                              const BodyLoads* loads, BodyState* to, const MechanismDrive& drive,
                              const MechanismNumbers& numbers, double time, double dt) {
    using namespace mechanism;
    Part p = part_of(view, index, drive, numbers);
    if (!begin_stage(p, stage, from, loads, to, time, dt)) return;
    const int count = sub_steps(stiffest_rate(p, &BodyNumbers::from, time), dt);
    p.dt = dt / count;
    for (int n = 0; n < count; ++n) {
        p.time = time + n * p.dt;
        take_sub_step(p);
    }
    end_stage(p, from, to);
}

/// The sub-steps that the springs and dampers of a mechanism take over `dt` (s) from `time`.
inline int sub_steps_of(const MechanismView& view, int index, const BodyState* states, const BodyLoads* loads,
                        const MechanismDrive& drive, const MechanismNumbers& numbers, double time, double dt) {
    mechanism::Part p = mechanism::part_of(view, index, drive, numbers);
    p.time = time;
    p.dt = dt;
    mechanism::begin(p, states, loads, false);
    return mechanism::sub_steps(mechanism::stiffest_rate(p, &mechanism::BodyNumbers::from, time), dt);
}

/// What the joints of a mechanism do at `time` (s), one report for each in the order of Mechanisms::joints. Friction
/// and the accelerations of walls are those over `dt` (s). Until the bodies are released, whatever holds them bears
/// their loads: of joints, springs alone do something.
inline void report_joints(const MechanismView& view, int index, const BodyState* states, const BodyLoads* loads,
                          const MechanismDrive& drive, const MechanismNumbers& numbers, double time, double dt,
                          JointReport* reports) {
    using namespace mechanism;
    Part p = part_of(view, index, drive, numbers);
    p.time = time;
    p.dt = dt;
    begin(p, states, loads, false);
    for (int b = 0; b < p.body_count; ++b) impose(p, b);
    const bool held = p.body_count > 0 && !is_released(p.drive->bodies[p.bodies[0]], time);
    if (held)
        for (int b = 0; b < p.body_count; ++b) p.body[b].from.velocity = p.body[b].from.omega = {};
    else
        find_friction(p, &BodyNumbers::from);
    accelerate(p, &BodyNumbers::from, time);
    for (int i = 0; held && i < p.row_count; ++i) p.row[i].x = 0;
    for (int j = 0; j < p.joint_count; ++j) {
        const Joint& joint = p.joints[j];
        const EndMotion first = end_motion(p, joint.end[0], &BodyNumbers::from, time),
                        second = end_motion(p, joint.end[1], &BodyNumbers::from, time);
        const Vec3d axis = second.turned(joint.axis);
        JointReport r;
        r.point[0] = first.point;
        r.point[1] = second.point;
        r.axis = axis;
        RowNumbers row;
        direction_of(joint, first, second, axis, row);
        r.rate = row.rate;
        for (int i = joint.first_row; i < joint.first_row + joint.row_count; ++i) {
            RowNumbers n;
            equation_of(p.rows[i], first, second, n);
            r.force = r.force + p.row[i].x * n.linear[0];
            r.moment = r.moment + p.row[i].x * (n.angular[0] - cross(first.arm, n.linear[0]));
            if (p.row[i].pivot > 0 && fabs(n.value) > r.gap) r.gap = fabs(n.value);
        }
        const double stiffness = now(p, joint.stiffness, time), damping = now(p, joint.damping, time);
        const Vec3d turned = turned_by(first, second);
        if (is_linear(joint)) {
            r.reach = row.value - joint.rest_length;
            const double size = joint.kind == JointKind::linear_spring ? p.joint[j].reaction : p.joint[j].friction;
            r.force = r.force + size * row.linear[0];
        } else if (joint.about_axis) {
            r.reach = angle_about(joint, first, second);
            r.moment = r.moment + (p.joint[j].friction - stiffness * r.reach - damping * r.rate) * axis;
        } else {
            r.reach = sqrt(dot(turned, turned));
            const Vec3d spin = first.omega - second.omega;
            r.rate = sqrt(dot(spin, spin));
            r.moment = r.moment - stiffness * second.turned(turned) - damping * spin;
        }
        if (joint.kind == JointKind::point_line) {
            const Vec3d line = second.turned(joint.line), way = first.point - second.point;
            r.reach = dot(line, way);
            r.rate = dot(line, first.velocity - second.velocity) + dot(cross(second.omega, line), way);
        }
        reports[j] = r;
    }
}

} // namespace sluice

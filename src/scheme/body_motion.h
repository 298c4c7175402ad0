// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/bodies.h"
#include "scheme/stage.h"
#include <cmath>

// How loads move a floating body: Newton's and Euler's equations of a rigid body.

namespace sluice {

/// What elastic contacts do to a particle of a body (dem::Push).
struct ContactForce {
    Vec3f force;         ///< N
    Vec3f couple;        ///< N m
    float stiffness = 0; ///< N/m
};

/// Adds to the load of a body what a particle of it bears, F = m dv/dt and (r − c)×F. `start`: the particle's place at
/// time 0, m; `acceleration`: what its surroundings give it, m/s²; `mass`: what it stands for in their pair terms, kg.
SLUICE_HD inline void add_particle(BodyLoad& load, const Body& body, const RigidMotion& motion, const Vec3d& start,
                                   const Vec3d& acceleration, double mass) {
    const Vec3d force = mass * acceleration;
    load.force = load.force + force;
    load.moment = load.moment + cross(motion.turned(start - body.centre), force);
}

/// The same of what elastic contacts do to the particle.
SLUICE_HD inline void add_contact(BodyLoads& loads, const Body& body, const RigidMotion& motion, const Vec3d& start,
                                  const ContactForce& contact) {
    const Vec3d force = vec_cast<double>(contact.force);
    loads.contact.force = loads.contact.force + force;
    loads.contact.moment =
        loads.contact.moment + cross(motion.turned(start - body.centre), force) + vec_cast<double>(contact.couple);
    loads.stiffness += contact.stiffness;
}

namespace body {

SLUICE_HD inline Vec3d product(const Vec3d rows[3], const Vec3d& v) {
    return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)};
}

/// The tensor of inertia of a turned body, R I Rᵀ.
SLUICE_HD inline void turned_inertia(const Vec3d inertia[3], const double turning[4], Vec3d result[3]) {
    Vec3d r[3];
    rows_of_turning(turning, r);
    Vec3d half[3]; // I Rᵀ, column by column
    for (int k = 0; k < 3; ++k) half[k] = product(inertia, r[k]);
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) result[i][k] = dot(r[i], half[k]);
}

/// The solution of A x = b by Cramer's rule.
SLUICE_HD inline Vec3d solution(const Vec3d a[3], const Vec3d& b) {
    const Vec3d c0{a[0].x, a[1].x, a[2].x}, c1{a[0].y, a[1].y, a[2].y}, c2{a[0].z, a[1].z, a[2].z};
    const double inverse = 1 / dot(c0, cross(c1, c2));
    return {inverse * dot(b, cross(c1, c2)), inverse * dot(c0, cross(b, c2)), inverse * dot(c0, cross(c1, b))};
}

/// The solution of I x = b about the axes that may turn; along the others whatever holds them takes the rest.
SLUICE_HD inline Vec3d solution_about(const Vec3d inertia[3], const Vec3d& turns, Vec3d b) {
    Vec3d rows[3] = {inertia[0], inertia[1], inertia[2]};
    for (int axis = 0; axis < 3; ++axis) {
        if (turns[axis] != 0) continue;
        b[axis] = 0;
        for (int other = 0; other < 3; ++other) rows[axis][other] = rows[other][axis] = other == axis ? 1 : 0;
    }
    return solution(rows, b);
}

/// dω/dt of Euler's equation, I dω/dt = M − ω×(I ω), about the axes that may turn. `start`: the tensor of inertia at
/// time 0.
SLUICE_HD inline Vec3d angular_acceleration(const Vec3d start[3], const Vec3d& turns, const double turning[4],
                                            const Vec3d& omega, const Vec3d& moment) {
    Vec3d inertia[3];
    turned_inertia(start, turning, inertia);
    return solution_about(inertia, turns, moment - cross(omega, product(inertia, omega)));
}

/// Turning and angular velocity, or how they change in time.
struct Spin {
    double turning[4];
    Vec3d omega;
};

/// Half the product of an angular velocity and a turning: dq/dt = ½ ω q of unit quaternions. `omega` over a time
/// instead, a small turn, gives what it changes.
SLUICE_HD inline void rate_of_turning(const double turning[4], const Vec3d& omega, double rate[4]) {
    const Vec3d v{turning[1], turning[2], turning[3]}, across = turning[0] * omega + cross(omega, v);
    rate[0] = -0.5 * dot(omega, v);
    for (int axis = 0; axis < 3; ++axis) rate[1 + axis] = 0.5 * across[axis];
}

SLUICE_HD inline void make_unit(double turning[4]) {
    double square = 0;
    for (int k = 0; k < 4; ++k) square += turning[k] * turning[k];
    const double length = sqrt(square);
    for (int k = 0; k < 4; ++k) turning[k] /= length;
}

/// Turns a turning by a small angle about a vector of that length, rad.
SLUICE_HD inline void turn_by(double turning[4], const Vec3d& angle) {
    double change[4];
    rate_of_turning(turning, angle, change);
    for (int k = 0; k < 4; ++k) turning[k] += change[k];
    make_unit(turning);
}

SLUICE_HD inline Spin rate_of(const Vec3d inertia[3], const Vec3d& turns, const Spin& s, const Vec3d& moment) {
    Spin rate;
    rate_of_turning(s.turning, s.omega, rate.turning);
    rate.omega = angular_acceleration(inertia, turns, s.turning, s.omega, moment);
    return rate;
}

SLUICE_HD inline Spin moved(const Spin& from, double dt, const Spin& rate) {
    Spin to = from;
    for (int k = 0; k < 4; ++k) to.turning[k] += dt * rate.turning[k];
    to.omega = to.omega + dt * rate.omega;
    return to;
}

/// One step of the classical Runge–Kutta method with a moment that does not change.
SLUICE_HD inline Spin spun(const Vec3d inertia[3], const Vec3d& turns, const Spin& from, const Vec3d& moment,
                           double dt) {
    const double sixth = dt / 6, third = dt / 3;
    Spin to = from, at = from;
    SLUICE_ROLLED
    for (int stage = 0; stage < 4; ++stage) {
        const Spin rate = rate_of(inertia, turns, at, moment);
        to = moved(to, stage == 0 || stage == 3 ? sixth : third, rate);
        at = moved(from, stage == 2 ? dt : 0.5 * dt, rate);
    }
    make_unit(to.turning);
    return to;
}

} // namespace body

/// What acts on all bodies beside the loads of their surroundings.
struct BodyDrive {
    Vec3d gravity;                         ///< m/s²
    const SeriesSample* samples = nullptr; ///< RunSetup::body_series
};

namespace body {

/// What a series makes of a component of a velocity over a step.
struct Imposed {
    bool in_step = false; ///< the series gives it at the start: it is `mean` over the step
    double mean = 0;
    double end = free_axis; ///< at the end of the step; `free_axis`: as the loads have made it
};

SLUICE_HD inline Imposed imposed_in_step(const SeriesSample* samples, const SeriesRange& range, int axis, double time,
                                         double dt) {
    Imposed result;
    result.end = given_at(samples, range, axis, time + dt);
    result.in_step = given_at(samples, range, axis, time) != free_axis;
    if (!result.in_step) return result;
    result.mean = mean_between(samples, range, axis, time, time + dt);
    if (result.end == free_axis) result.end = result.mean; // let go in this step
    return result;
}

SLUICE_HD inline Vec3d mean_of(const SeriesSample* samples, const SeriesRange& range, double begin, double end) {
    Vec3d mean;
    if (range.any())
        for (int axis = 0; axis < 3; ++axis) mean[axis] = mean_between(samples, range, axis, begin, end);
    return mean;
}

} // namespace body

/// The mean of the forces that the case gives a body, between two times (s).
SLUICE_HD inline BodyLoad outer_load(const Body& body, const SeriesSample* samples, double begin, double end) {
    return {body::mean_of(samples, body.outer_force, begin, end),
            body::mean_of(samples, body.outer_moment, begin, end)};
}

/// dv/dt of a released body under all loads, m/s².
SLUICE_HD inline Vec3d acceleration_of(const Body& body, const BodyLoad& load, const Vec3d& gravity) {
    Vec3d a;
    for (int axis = 0; axis < 3; ++axis)
        a[axis] = body.translates[axis] != 0 ? load.force[axis] / body.mass + gravity[axis] : 0;
    return a;
}

namespace body {

/// Turning and angular velocity after a step under a moment, on the axes where none is imposed.
SLUICE_HD inline void turn(const Body& body, const BodyState& from, const Vec3d& moment, const BodyDrive& drive,
                           double time, double dt, BodyState& to) {
    Spin spin{{from.turning[0], from.turning[1], from.turning[2], from.turning[3]}, from.angular_velocity};
    Vec3d turns = body.turns, end{free_axis, free_axis, free_axis};
    const int imposed_axes = body.imposed_turning.any() ? 3 : 0;
    SLUICE_ROLLED
    for (int axis = 0; axis < imposed_axes; ++axis) {
        const Imposed imposed = imposed_in_step(drive.samples, body.imposed_turning, axis, time, dt);
        end[axis] = imposed.end;
        if (!imposed.in_step) continue;
        turns[axis] = 0;
        spin.omega[axis] = imposed.mean;
    }
    spin = spun(body.inertia, turns, spin, moment, dt);
    for (int k = 0; k < 4; ++k) to.turning[k] = spin.turning[k];
    for (int axis = 0; axis < 3; ++axis)
        to.angular_velocity[axis] = end[axis] != free_axis ? end[axis] : spin.omega[axis];
}

/// The velocity after a step and the way over it, on the axes where a velocity is imposed.
SLUICE_HD inline void impose_velocity(const Body& body, const BodyState& from, const BodyDrive& drive, double time,
                                      double dt, BodyState& to) {
    if (!body.imposed_velocity.any()) return;
    SLUICE_ROLLED
    for (int axis = 0; axis < 3; ++axis) {
        const Imposed imposed = imposed_in_step(drive.samples, body.imposed_velocity, axis, time, dt);
        if (imposed.in_step) to.centre[axis] = from.centre[axis] + dt * imposed.mean;
        if (imposed.end != free_axis) to.velocity[axis] = imposed.end;
    }
}

} // namespace body

/// A body `dt` (s) after `time`, under loads of its surroundings that do not change over the step.
SLUICE_HD inline BodyState advanced(const Body& body, const BodyState& from, const BodyLoad& load,
                                    const BodyDrive& drive, double time, double dt) {
    if (!is_released(body, time)) return from;
    const BodyLoad all = load + outer_load(body, drive.samples, time, time + dt);
    const Vec3d a = acceleration_of(body, all, drive.gravity);
    BodyState to = from;
    to.centre = from.centre + dt * (from.velocity + (0.5 * dt) * a);
    to.velocity = from.velocity + dt * a;
    to.velocity_previous = from.velocity;
    body::turn(body, from, all.moment, drive, time, dt, to);
    body::impose_velocity(body, from, drive, time, dt, to);
    return to;
}

/// Makes of that, for a released body, the end of a Verlet step that is not of the Euler form: the velocity leaps from
/// level n−1 over 2Δt as that of the fluid does (scheme/integrators.h), or what the fluid gives and what the body gets
/// would not be the same momentum.
SLUICE_HD inline void leap(const Body& body, const BodyState& from, const BodyLoad& load, const BodyDrive& drive,
                           double time, double dt, BodyState& to) {
    const BodyLoad all = load + outer_load(body, drive.samples, time - dt, time + dt);
    to.velocity = from.velocity_previous + (2 * dt) * acceleration_of(body, all, drive.gravity);
    body::impose_velocity(body, from, drive, time, dt, to);
}

/// A body after the impulse of its elastic contacts and mooring lines over a step.
SLUICE_HD inline BodyState kicked(const Body& body, const BodyState& from, const BodyLoad& contact, double dt) {
    BodyState to = from;
    const Vec3d push = dt * acceleration_of(body, contact, {});
    to.velocity = from.velocity + push;
    to.velocity_previous = from.velocity_previous + push;
    Vec3d inertia[3];
    body::turned_inertia(body.inertia, from.turning, inertia);
    to.angular_velocity = from.angular_velocity + dt * body::solution_about(inertia, body.turns, contact.moment);
    return to;
}

namespace body {

/// What a moment gives the angular velocity in a time, about the axes on which none is imposed at `time`.
SLUICE_HD inline Vec3d spin_up(const Body& body, const BodyState& at, const Vec3d& moment, const BodyDrive& drive,
                               double time, double duration) {
    Vec3d turns = body.turns, inertia[3];
    const int imposed_axes = body.imposed_turning.any() ? 3 : 0;
    SLUICE_ROLLED
    for (int axis = 0; axis < imposed_axes; ++axis)
        if (given_at(drive.samples, body.imposed_turning, axis, time) != free_axis) turns[axis] = 0;
    turned_inertia(body.inertia, at.turning, inertia);
    return duration * solution_about(inertia, turns, moment);
}

/// Gives the axes on which a velocity is imposed what it is a time `dt` (s) later.
SLUICE_HD inline void impose_end(const SeriesSample* samples, const SeriesRange& range, double time, double dt,
                                 Vec3d& velocity) {
    const int imposed_axes = range.any() ? 3 : 0;
    SLUICE_ROLLED
    for (int axis = 0; axis < imposed_axes; ++axis) {
        const double end = imposed_in_step(samples, range, axis, time, dt).end;
        if (end != free_axis) velocity[axis] = end;
    }
}

/// A body that nothing pushes, after a time `dt` (s): its angular momentum stays what it is.
SLUICE_HD inline BodyState drifted(const Body& body, const BodyState& from, const BodyDrive& drive, double time,
                                   double dt) {
    BodyState to = from;
    to.centre = from.centre + dt * from.velocity;
    turn(body, from, {}, drive, time, dt, to);
    impose_velocity(body, from, drive, time, dt, to);
    return to;
}

} // namespace body

// Staggered steps (scheme/integrators.h). The kick changes linear and angular momentum where the body is at level n,
// by what the fluid loses; between the kicks the body drifts and turns freely.

/// How long the kick of a staggered step acts on a released body, s: as on the fluid, but not before its release. So it
/// does not matter on which side of the begin of a step rounding lets a release fall.
struct KickTime {
    double before; ///< what of it lies before the begin of the step
    double half;   ///< of the step

    SLUICE_HD double duration() const { return before + half; }
};

/// `time`: of the begin of the step; `dt_before`: of the step before, 0 in the first, s.
SLUICE_HD inline KickTime kick_time(const Body& body, double time, double half, double dt_before) {
    const double since_release = time - body.released, half_before = 0.5 * dt_before;
    return {half_before < since_release ? half_before : since_release, half};
}

/// A body where a staggered step begins, with the velocities of the middle of the step: those of the middle of the step
/// before, and what the loads have given it since.
SLUICE_HD inline BodyState kicked_to_middle(const Body& body, const BodyState& from, const BodyLoads& loads,
                                            const BodyDrive& drive, double time, const KickTime& kick) {
    const BodyLoad all =
        loads.fluid + loads.contact + outer_load(body, drive.samples, time - kick.before, time + kick.half);
    BodyState to = lagging(from);
    to.velocity = to.velocity + kick.duration() * acceleration_of(body, all, drive.gravity);
    to.angular_velocity = to.angular_velocity + body::spin_up(body, from, all.moment, drive, time, kick.duration());
    body::impose_end(drive.samples, body.imposed_velocity, time, kick.half, to.velocity);
    body::impose_end(drive.samples, body.imposed_turning, time, kick.half, to.angular_velocity);
    return to;
}

/// Gives a body that has drifted from the middle of a staggered step to its end, `half` a step (s), the velocities of
/// the end: those of the middle and what the loads of the step's begin add in that time. Those of the middle stay
/// beside them.
SLUICE_HD inline BodyState with_end_velocities(const Body& body, const BodyState& middle, const BodyState& drifted,
                                               const BodyLoads& loads, const BodyDrive& drive, double time_of_middle,
                                               double half) {
    const BodyLoad all =
        loads.fluid + loads.contact + outer_load(body, drive.samples, time_of_middle, time_of_middle + half);
    BodyState to = drifted;
    to.velocity_previous = middle.velocity;
    to.angular_velocity_previous = drifted.angular_velocity;
    const int imposed_axes = body.imposed_turning.any() ? 3 : 0;
    SLUICE_ROLLED
    for (int axis = 0; axis < imposed_axes; ++axis)
        if (given_at(drive.samples, body.imposed_turning, axis, time_of_middle) != free_axis)
            to.angular_velocity_previous[axis] = middle.angular_velocity[axis];
    to.velocity = middle.velocity + half * acceleration_of(body, all, drive.gravity);
    to.angular_velocity =
        drifted.angular_velocity + body::spin_up(body, drifted, all.moment, drive, time_of_middle, half);
    body::impose_end(drive.samples, body.imposed_velocity, time_of_middle, half, to.velocity);
    body::impose_end(drive.samples, body.imposed_turning, time_of_middle, half, to.angular_velocity);
    return to;
}

/// The stages of the time integration, as a body goes through them.
enum class BodyStage {
    verlet_euler, ///< a Verlet step of the Euler form
    verlet_leap,  ///< any other
    symplectic,   ///< predictor or corrector, from the start of the step
    kick,         ///< staggered: to the middle of the step
    drift,        ///< staggered: from there to its end
};

/// `is_euler`: of a Verlet step, whether it is of the Euler form (sph::is_euler_step).
SLUICE_HD inline BodyStage body_stage(Stage stage, bool is_euler) {
    if (stage == Stage::kick) return BodyStage::kick;
    if (stage == Stage::drift) return BodyStage::drift;
    if (stage != Stage::whole_step) return BodyStage::symplectic;
    return is_euler ? BodyStage::verlet_euler : BodyStage::verlet_leap;
}

/// A body after one of the two stages of a staggered step; `half`: of the step, s.
SLUICE_HD inline BodyState after_staggered_stage(BodyStage stage, const Body& body, const BodyState& from,
                                                 const BodyLoads& loads, const BodyDrive& drive, double time,
                                                 double half, double dt_before) {
    const bool kicks = stage == BodyStage::kick;
    const double begin = kicks ? time : time + half;
    const BodyState at =
        kicks ? kicked_to_middle(body, from, loads, drive, time, kick_time(body, time, half, dt_before)) : from;
    const BodyState to = body::drifted(body, at, drive, begin, half);
    return kicks ? to : with_end_velocities(body, at, to, loads, drive, begin, half);
}

/// A body after a stage that brings the particles to `dt` (s) after `time`, the begin of the step. `dt_before`: of the
/// step before, for staggered steps, s. In Verlet's steps contacts act first, at once, and on one time level: their
/// stiff springs would gain energy if the way over the step did not follow from the velocity at its end, and their
/// friction if it leapt. So do mooring lines, whose momentum changes from step to step. In staggered steps the way
/// follows from the velocity after the kick anyway.
SLUICE_HD inline BodyState after_stage(BodyStage stage, const Body& body, const BodyState& from, const BodyLoads& loads,
                                       const BodyDrive& drive, double time, double dt, double dt_before = 0) {
    if (!is_released(body, time)) return from;
    if (stage == BodyStage::kick || stage == BodyStage::drift)
        return after_staggered_stage(stage, body, from, loads, drive, time, stage == BodyStage::kick ? dt : 0.5 * dt,
                                     dt_before);
    const bool kicks = stage != BodyStage::symplectic;
    const BodyLoad pushes = loads.contact + loads.mooring;
    const BodyState start = kicks ? kicked(body, from, pushes, dt) : from;
    const BodyLoad load = kicks ? loads.fluid : loads.fluid + pushes;
    BodyState to = advanced(body, start, load, drive, time, dt);
    if (stage == BodyStage::verlet_leap) leap(body, start, load, drive, time, dt, to);
    return to;
}

} // namespace sluice

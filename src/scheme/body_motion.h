// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/bodies.h"
#include <cmath>

// How loads move a floating body: Newton's and Euler's equations of a rigid body.

namespace sluice {

/// Adds to the load of a body what a particle of it bears, F = m dv/dt and (r − c)×F. `start`: the particle's place at
/// time 0, m; `acceleration`: what its surroundings give it, m/s²; `mass`: what it stands for in their pair terms, kg.
SLUICE_HD inline void add_particle(BodyLoad& load, const Body& body, const RigidMotion& motion, const Vec3d& start,
                                   const Vec3d& acceleration, double mass) {
    const Vec3d force = mass * acceleration;
    load.force = load.force + force;
    load.moment = load.moment + cross(motion.turned(start - body.centre), force);
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

/// dω/dt of Euler's equation, I dω/dt = M − ω×(I ω), about the axes that the body may turn about; along the others
/// whatever holds it takes the rest.
SLUICE_HD inline Vec3d angular_acceleration(const Body& body, const double turning[4], const Vec3d& omega,
                                            const Vec3d& moment) {
    Vec3d inertia[3];
    turned_inertia(body.inertia, turning, inertia);
    Vec3d right = moment - cross(omega, product(inertia, omega));
    for (int axis = 0; axis < 3; ++axis) {
        if (body.turns[axis] != 0) continue;
        right[axis] = 0;
        for (int other = 0; other < 3; ++other) inertia[axis][other] = inertia[other][axis] = other == axis ? 1 : 0;
    }
    return solution(inertia, right);
}

/// Turning and angular velocity, or how they change in time.
struct Spin {
    double turning[4];
    Vec3d omega;
};

SLUICE_HD inline Spin rate_of(const Body& body, const Spin& s, const Vec3d& moment) {
    const Vec3d v{s.turning[1], s.turning[2], s.turning[3]}, turning = s.turning[0] * s.omega + cross(s.omega, v);
    return {{-0.5 * dot(s.omega, v), 0.5 * turning.x, 0.5 * turning.y, 0.5 * turning.z},
            angular_acceleration(body, s.turning, s.omega, moment)};
}

SLUICE_HD inline Spin moved(const Spin& from, double dt, const Spin& rate) {
    Spin to = from;
    for (int k = 0; k < 4; ++k) to.turning[k] += dt * rate.turning[k];
    to.omega = to.omega + dt * rate.omega;
    return to;
}

/// One step of the classical Runge–Kutta method with a moment that does not change.
SLUICE_HD inline Spin spun(const Body& body, const Spin& from, const Vec3d& moment, double dt) {
    const Spin k1 = rate_of(body, from, moment), k2 = rate_of(body, moved(from, 0.5 * dt, k1), moment),
               k3 = rate_of(body, moved(from, 0.5 * dt, k2), moment), k4 = rate_of(body, moved(from, dt, k3), moment);
    Spin to = moved(moved(moved(moved(from, dt / 6, k1), dt / 3, k2), dt / 3, k3), dt / 6, k4);
    double norm = 0;
    for (const double component : to.turning) norm += component * component;
    for (double& component : to.turning) component /= sqrt(norm);
    return to;
}

} // namespace body

/// dv/dt of a released body, m/s².
SLUICE_HD inline Vec3d acceleration_of(const Body& body, const BodyLoad& load, const Vec3d& gravity) {
    Vec3d a;
    for (int axis = 0; axis < 3; ++axis)
        a[axis] = body.translates[axis] != 0 ? load.force[axis] / body.mass + gravity[axis] : 0;
    return a;
}

/// A body `dt` (s) after `time`, under loads that do not change over the step.
SLUICE_HD inline BodyState advanced(const Body& body, const BodyState& from, const BodyLoad& load, const Vec3d& gravity,
                                    double time, double dt) {
    if (!is_released(body, time)) return from;
    const Vec3d a = acceleration_of(body, load, gravity);
    BodyState to = from;
    to.centre = from.centre + dt * (from.velocity + (0.5 * dt) * a);
    to.velocity = from.velocity + dt * a;
    to.velocity_previous = from.velocity;
    const body::Spin spin =
        body::spun(body, {{from.turning[0], from.turning[1], from.turning[2], from.turning[3]}, from.angular_velocity},
                   load.moment, dt);
    for (int k = 0; k < 4; ++k) to.turning[k] = spin.turning[k];
    to.angular_velocity = spin.omega;
    return to;
}

/// The same in a Verlet step that is not of the Euler form: the velocity leaps from level n−1 over 2Δt as that of the
/// fluid does (scheme/integrators.h), or what the fluid gives and what the body gets would not be the same momentum.
SLUICE_HD inline BodyState leapt(const Body& body, const BodyState& from, const BodyLoad& load, const Vec3d& gravity,
                                 double time, double dt) {
    BodyState to = advanced(body, from, load, gravity, time, dt);
    if (is_released(body, time)) to.velocity = from.velocity_previous + (2 * dt) * acceleration_of(body, load, gravity);
    return to;
}

} // namespace sluice

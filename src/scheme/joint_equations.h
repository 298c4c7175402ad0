// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/joints.h"
#include "model/motion.h"
#include "scheme/body_motion.h"
#include <cmath>

// What joints ask of the bodies of a mechanism: how the ends of a joint move, and its equations as functions of places
// and velocities, with their gradients and rates (docs/theory.md, Mechanisms). The solver's numbers stand here, too.

namespace sluice {

namespace mechanism {

/// Place and velocity of a body, or how they change in time.
struct Course {
    Vec3d centre;
    double turning[4];
    Vec3d velocity, omega;
};

/// What the solver keeps of a body while it advances it.
struct BodyNumbers {
    Course from, at, to;
    Vec3d force, moment;            ///< that do not change over the stage, N and N m
    Vec3d translates, turns;        ///< 1 on the axes on which the loads move it
    Vec3d inverse_inertia[3];       ///< rows, about those axes
    Vec3d gained, gained_moment;    ///< all that acts on it but joints' equations, N and N m
    Vec3d acceleration, angular;    ///< m/s² and rad/s²
    Vec3d last_velocity, last_rate; ///< at the end of the step on the axes where they are imposed; else free_axis
};

/// What it keeps of an equation: its gradient, by the velocity and the angular velocity of both ends.
struct RowNumbers {
    Vec3d linear[2], angular[2]; ///< zero where an end is no floating body
    Vec3d moved[2], turned[2];   ///< the same times the inverse masses
    double value, rate, bias;    ///< φ, dφ/dt, and d²φ/dt² but for what the accelerations of the bodies make
    double pivot;                ///< of the factorised matrix; 0: the row is dropped
    double x;                    ///< right side, then solution
};

/// What it keeps of a joint.
struct JointNumbers {
    double friction; ///< along the direction of Coulomb friction, on the first end: N or N m
    double reaction; ///< of a spring: N, along the line from the second to the first point
};

} // namespace mechanism

/// Arrays that the solver writes. As long as Mechanisms::bodies, joints, rows and entry_count.
struct MechanismNumbers {
    mechanism::BodyNumbers* bodies = nullptr;
    mechanism::JointNumbers* joints = nullptr;
    mechanism::RowNumbers* rows = nullptr;
    double* entries = nullptr;
};

/// What mechanisms depend on beside the states of their bodies.
struct MechanismDrive {
    const Body* bodies = nullptr; ///< RunSetup::bodies
    BodyDrive drive;
    MotionView walls;
};

namespace mechanism {

/// One mechanism and the numbers that belong to it.
struct Part {
    const Joint* joints;
    const JointRow* rows;
    const int* bodies;
    int body_count, joint_count, row_count;
    BodyNumbers* body;
    JointNumbers* joint;
    RowNumbers* row;
    double* entry;
    const MechanismDrive* drive;
    double time, dt; ///< of the sub-step, s
};

inline Part part_of(const MechanismView& view, int index, const MechanismDrive& drive,
                    const MechanismNumbers& numbers) {
    const Mechanism& m = view.all[index];
    return {view.joints + m.first_joint,
            view.rows + m.first_row,
            view.bodies + m.first_body,
            m.body_count,
            m.joint_count,
            m.row_count,
            numbers.bodies + m.first_body,
            numbers.joints + m.first_joint,
            numbers.rows + m.first_row,
            numbers.entries + m.first_entry,
            &drive,
            0,
            0};
}

/// How an end of a joint moves.
struct EndMotion {
    Vec3d rows[3]; ///< of its rotation
    double turning[4];
    Vec3d arm, point, velocity, omega;
    Vec3d pull;    ///< acceleration of the point but for what the accelerations of a body make
    Vec3d angular; ///< angular acceleration of a wall

    Vec3d turned(const Vec3d& v) const { return body::product(rows, v); }
};

/// The unit quaternion of a rotation, the one with w ≥ 0 (Shepperd 1978).
inline void turning_of(const Vec3d r[3], double q[4]) {
    const double trace = r[0].x + r[1].y + r[2].z;
    const double squares[4] = {1 + trace, 1 + 2 * r[0].x - trace, 1 + 2 * r[1].y - trace, 1 + 2 * r[2].z - trace};
    int k = 0;
    for (int i = 1; i < 4; ++i)
        if (squares[i] > squares[k]) k = i;
    const double s = 2 * sqrt(squares[k]);
    const Vec3d skew{r[2].y - r[1].z, r[0].z - r[2].x, r[1].x - r[0].y};
    const double products[3] = {r[0].y + r[1].x, r[0].z + r[2].x, r[1].z + r[2].y};
    const double all[4][4] = {{s * s / 4, skew.x, skew.y, skew.z},
                              {skew.x, s * s / 4, products[0], products[1]},
                              {skew.y, products[0], s * s / 4, products[2]},
                              {skew.z, products[1], products[2], s * s / 4}};
    for (int i = 0; i < 4; ++i) q[i] = all[k][i] / s;
    if (q[0] < 0)
        for (int i = 0; i < 4; ++i) q[i] = -q[i];
}

/// `time`: at which walls are looked at, s. Their acceleration is the mean over the sub-step.
inline EndMotion end_motion(const Part& p, const JointEnd& end, const Course BodyNumbers::*course, double time) {
    EndMotion m{};
    m.turning[0] = 1;
    m.point = end.point;
    if (end.body >= 0) {
        const Course& c = p.body[end.body].*course;
        for (int k = 0; k < 4; ++k) m.turning[k] = c.turning[k];
        rows_of_turning(c.turning, m.rows);
        m.arm = m.turned(end.point - p.drive->bodies[p.bodies[end.body]].centre);
        m.point = c.centre + m.arm;
        m.omega = c.omega;
        const Vec3d turning = cross(c.omega, m.arm);
        m.velocity = c.velocity + turning;
        m.pull = cross(c.omega, turning);
    } else if (end.wall >= 0) {
        const RigidMotion now = motion_at(p.drive->walls, end.wall, time);
        const RigidMotion first = motion_at(p.drive->walls, end.wall, p.time),
                          last = motion_at(p.drive->walls, end.wall, p.time + p.dt);
        for (int k = 0; k < 3; ++k) m.rows[k] = now.rotation[k];
        turning_of(m.rows, m.turning);
        m.point = now.position_of(end.point);
        m.velocity = now.velocity_at(m.point);
        m.omega = now.angular_velocity;
        if (p.dt > 0) {
            m.pull = (1 / p.dt) * (last.velocity_of(end.point) - first.velocity_of(end.point));
            m.angular = (1 / p.dt) * (last.angular_velocity - first.angular_velocity);
        }
    } else {
        m.rows[0].x = m.rows[1].y = m.rows[2].z = 1;
    }
    return m;
}

/// How far the first end has turned as seen from the second, as a vector along the axis, rad: up to a turn and a half
/// back and forth between bodies, half a turn where an end is a wall that moves. In the axes of the second at time 0.
inline Vec3d turned_by(const EndMotion& first, const EndMotion& second) {
    const double w1 = first.turning[0], w2 = second.turning[0];
    const Vec3d v1{first.turning[1], first.turning[2], first.turning[3]},
        v2{second.turning[1], second.turning[2], second.turning[3]};
    const double w = w2 * w1 + dot(v2, v1);
    const Vec3d v = w2 * v1 - w1 * v2 - cross(v2, v1);
    const double sine = sqrt(dot(v, v));
    return sine > 0 ? (2 * atan2(sine, w) / sine) * v : Vec3d{};
}

/// The angle about the joint's axis, rad.
inline double angle_about(const Joint& joint, const EndMotion& first, const EndMotion& second) {
    const double w1 = first.turning[0], w2 = second.turning[0];
    const Vec3d v1{first.turning[1], first.turning[2], first.turning[3]},
        v2{second.turning[1], second.turning[2], second.turning[3]};
    return 2 * atan2(dot(joint.axis, w2 * v1 - w1 * v2 - cross(v2, v1)), w2 * w1 + dot(v2, v1));
}

inline bool is_linear(const Joint& joint) {
    return joint.kind == JointKind::linear_spring || joint.kind == JointKind::coulomb_damping;
}

inline void clear(RowNumbers& row) { row.linear[0] = row.linear[1] = row.angular[0] = row.angular[1] = {}; }

/// The gradient of the length between the points of a joint that has one, else of its turning about `axis`.
inline void direction_of(const Joint& joint, const EndMotion& first, const EndMotion& second, const Vec3d& axis,
                         RowNumbers& row) {
    clear(row);
    if (is_linear(joint)) {
        const Vec3d way = first.point - second.point, dv = first.velocity - second.velocity;
        const double length = sqrt(dot(way, way));
        const Vec3d u = length > 0 ? (1 / length) * way : Vec3d{};
        row.value = length;
        row.rate = dot(u, dv);
        row.linear[0] = u;
        row.linear[1] = -1.0 * u;
        row.angular[0] = cross(first.arm, u);
        row.angular[1] = -1.0 * cross(second.arm, u);
        row.bias = dot(u, first.pull - second.pull) + (length > 0 ? (dot(dv, dv) - row.rate * row.rate) / length : 0);
    } else {
        const Vec3d spin = first.omega - second.omega;
        row.value = 0;
        row.rate = dot(spin, axis);
        row.angular[0] = axis;
        row.angular[1] = -1.0 * axis;
        row.bias = dot(first.angular - second.angular, axis) + dot(spin, cross(second.omega, axis));
    }
}

/// An equation of a joint.
inline void equation_of(const JointRow& given, const EndMotion& first, const EndMotion& second, RowNumbers& row) {
    clear(row);
    if (given.kind == RowKind::along) {
        const Vec3d n = second.turned(given.b), d = first.point - second.point, dv = first.velocity - second.velocity;
        const Vec3d dn = cross(second.omega, n);
        row.linear[0] = n;
        row.linear[1] = -1.0 * n;
        row.angular[0] = cross(first.arm, n);
        row.angular[1] = -1.0 * cross(second.arm + d, n);
        row.value = dot(n, d);
        row.rate = dot(n, dv) + dot(dn, d);
        row.bias = dot(n, first.pull - second.pull) + 2 * dot(dn, dv) +
                   dot(d, cross(second.angular, n) + cross(second.omega, dn));
    } else if (given.kind == RowKind::square) {
        const Vec3d x = first.turned(given.a), y = second.turned(given.b), u = cross(x, y),
                    spin = first.omega - second.omega;
        row.angular[0] = u;
        row.angular[1] = -1.0 * u;
        row.value = dot(x, y);
        row.rate = dot(spin, u);
        row.bias = dot(first.angular - second.angular, u) +
                   dot(spin, cross(cross(first.omega, x), y) + cross(x, cross(second.omega, y)));
    } else {
        const Vec3d x = first.turned(given.a), slip = given.radius[0] * first.omega - given.radius[1] * second.omega;
        row.angular[0] = given.radius[0] * x;
        row.angular[1] = -given.radius[1] * x;
        row.value = 0;
        row.rate = dot(x, slip);
        row.bias = dot(cross(first.omega, x), slip) +
                   dot(x, given.radius[0] * first.angular - given.radius[1] * second.angular);
    }
}

} // namespace mechanism

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/joints.h"
#include "model/motion.h"
#include "scheme/body_motion.h"
#include <cmath>

// How joints move the bodies of a mechanism: the equations of motion of all its bodies with a Lagrange multiplier for
// each equation of a joint (maximal coordinates; docs/theory.md, Mechanisms). Host and device run the same lines in the
// same order. Nothing here allocates: the caller gives the arrays.

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

/// What a joint does at one time. Force and moment act on its first end, about the point of it that the joint holds.
struct JointReport {
    Vec3d force;      ///< N (N/m in 2-D)
    Vec3d moment;     ///< N m (N in 2-D)
    double reach = 0; ///< length of a spring less that at rest, way along a line, m; angle of turning, rad
    double rate = 0;  ///< of that, m/s or rad/s
    double gap = 0;   ///< the greatest error of its equations, m (vectors at right angles: rad)
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

SLUICE_HD inline Part part_of(const MechanismView& view, int index, const MechanismDrive& drive,
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

    SLUICE_HD Vec3d turned(const Vec3d& v) const { return body::product(rows, v); }
};

/// The unit quaternion of a rotation, the one with w ≥ 0 (Shepperd 1978).
SLUICE_HD inline void turning_of(const Vec3d r[3], double q[4]) {
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
SLUICE_NOINLINE EndMotion end_motion(const Part& p, const JointEnd& end, const Course BodyNumbers::*course,
                                     double time) {
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
SLUICE_HD inline Vec3d turned_by(const EndMotion& first, const EndMotion& second) {
    const double w1 = first.turning[0], w2 = second.turning[0];
    const Vec3d v1{first.turning[1], first.turning[2], first.turning[3]},
        v2{second.turning[1], second.turning[2], second.turning[3]};
    const double w = w2 * w1 + dot(v2, v1);
    const Vec3d v = w2 * v1 - w1 * v2 - cross(v2, v1);
    const double sine = sqrt(dot(v, v));
    return sine > 0 ? (2 * atan2(sine, w) / sine) * v : Vec3d{};
}

/// The angle about the joint's axis, rad.
SLUICE_HD inline double angle_about(const Joint& joint, const EndMotion& first, const EndMotion& second) {
    const double w1 = first.turning[0], w2 = second.turning[0];
    const Vec3d v1{first.turning[1], first.turning[2], first.turning[3]},
        v2{second.turning[1], second.turning[2], second.turning[3]};
    return 2 * atan2(dot(joint.axis, w2 * v1 - w1 * v2 - cross(v2, v1)), w2 * w1 + dot(v2, v1));
}

SLUICE_HD inline bool is_linear(const Joint& joint) {
    return joint.kind == JointKind::linear_spring || joint.kind == JointKind::coulomb_damping;
}

SLUICE_HD inline void clear(RowNumbers& row) { row.linear[0] = row.linear[1] = row.angular[0] = row.angular[1] = {}; }

/// The gradient of the length between the points of a joint that has one, else of its turning about `axis`.
SLUICE_NOINLINE void direction_of(const Joint& joint, const EndMotion& first, const EndMotion& second,
                                  const Vec3d& axis, RowNumbers& row) {
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
SLUICE_NOINLINE void equation_of(const JointRow& given, const EndMotion& first, const EndMotion& second,
                                 RowNumbers& row) {
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

/// Keeps of a gradient what belongs to bodies, and finds what it moves them by.
SLUICE_NOINLINE void weigh(const Part& p, const Joint& joint, RowNumbers& row) {
    for (int e = 0; e < 2; ++e) {
        const int b = joint.end[e].body;
        if (b < 0) {
            row.linear[e] = row.angular[e] = row.moved[e] = row.turned[e] = {};
            continue;
        }
        const double inverse = 1 / p.drive->bodies[p.bodies[b]].mass;
        for (int axis = 0; axis < 3; ++axis)
            row.moved[e][axis] = p.body[b].translates[axis] != 0 ? inverse * row.linear[e][axis] : 0;
        row.turned[e] = body::product(p.body[b].inverse_inertia, row.angular[e]);
    }
}

/// gᵀ M⁻¹ h of two gradients.
SLUICE_NOINLINE double coupling(const Joint& joint, const RowNumbers& row, const Joint& other,
                                const RowNumbers& weighed) {
    double sum = 0;
    for (int e = 0; e < 2; ++e)
        for (int f = 0; f < 2; ++f)
            if (joint.end[e].body >= 0 && joint.end[e].body == other.end[f].body)
                sum += dot(row.linear[e], weighed.moved[f]) + dot(row.angular[e], weighed.turned[f]);
    return sum;
}

/// How the accelerations of the bodies change what a gradient belongs to.
SLUICE_NOINLINE double along(const Part& p, const Joint& joint, const RowNumbers& row) {
    double sum = 0;
    for (int e = 0; e < 2; ++e)
        if (const int b = joint.end[e].body; b >= 0)
            sum += dot(row.linear[e], p.body[b].acceleration) + dot(row.angular[e], p.body[b].angular);
    return sum;
}

/// A pivot below this part of its diagonal belongs to an equation that others contain already; one below that part of
/// the greatest diagonal to one that nothing can change (in the plane of a 2-D case, or of bodies that are held).
constexpr double redundant_pivot = 1e-10, held_pivot = 1e-14;

/// A = J M⁻¹ Jᵀ of the rows, factorised as L D Lᵀ within its envelope. Redundant rows are dropped.
SLUICE_NOINLINE void factorise(const Part& p) {
    double greatest = 0;
    for (int i = 0; i < p.row_count; ++i) {
        const Joint& joint = p.joints[p.rows[i].joint];
        double* const line = p.entry + p.rows[i].entry;
        for (int j = p.rows[i].first; j <= i; ++j)
            line[j] = coupling(joint, p.row[i], p.joints[p.rows[j].joint], p.row[j]);
        if (line[i] > greatest) greatest = line[i];
    }
    for (int i = 0; i < p.row_count; ++i) {
        double* const line = p.entry + p.rows[i].entry;
        const int first = p.rows[i].first;
        for (int j = first; j < i; ++j) {
            const double* const other = p.entry + p.rows[j].entry;
            double sum = line[j]; // times its pivot
            for (int k = first > p.rows[j].first ? first : p.rows[j].first; k < j; ++k) sum -= line[k] * other[k];
            line[j] = sum;
        }
        double pivot = line[i];
        for (int j = first; j < i; ++j) {
            const double part = p.row[j].pivot > 0 ? line[j] / p.row[j].pivot : 0;
            pivot -= part * line[j];
            line[j] = part;
        }
        const bool dropped = !(pivot > redundant_pivot * line[i]) || !(line[i] > held_pivot * greatest);
        p.row[i].pivot = dropped ? 0 : pivot;
    }
}

/// Solves A x = x. Rows that are dropped have the solution 0.
SLUICE_NOINLINE void solve(const Part& p) {
    for (int i = 0; i < p.row_count; ++i) {
        const double* const line = p.entry + p.rows[i].entry;
        double sum = p.row[i].x;
        for (int j = p.rows[i].first; j < i; ++j) sum -= line[j] * p.row[j].x;
        p.row[i].x = sum;
    }
    for (int i = 0; i < p.row_count; ++i) p.row[i].x = p.row[i].pivot > 0 ? p.row[i].x / p.row[i].pivot : 0;
    for (int i = p.row_count - 1; i >= 0; --i) {
        const double* const line = p.entry + p.rows[i].entry;
        for (int j = p.rows[i].first; j < i; ++j) p.row[j].x -= line[j] * p.row[i].x;
    }
}

SLUICE_NOINLINE void find_inverse_inertia(const Part& p, int b, const Course& course) {
    BodyNumbers& n = p.body[b];
    Vec3d inertia[3];
    body::turned_inertia(p.drive->bodies[p.bodies[b]].inertia, course.turning, inertia);
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d unit;
        unit[axis] = 1;
        n.inverse_inertia[axis] = body::solution_about(inertia, n.turns, unit);
    }
}

/// A force along a gradient.
SLUICE_HD inline void push(const Part& p, const Joint& joint, const RowNumbers& row, double size) {
    for (int e = 0; e < 2; ++e)
        if (const int b = joint.end[e].body; b >= 0) {
            p.body[b].gained = p.body[b].gained + size * row.linear[e];
            p.body[b].gained_moment = p.body[b].gained_moment + size * row.angular[e];
        }
}

/// A moment on the first end, and the opposite one on the second.
SLUICE_HD inline void twist(const Part& p, const Joint& joint, const Vec3d& moment) {
    for (int e = 0; e < 2; ++e)
        if (const int b = joint.end[e].body; b >= 0)
            p.body[b].gained_moment = p.body[b].gained_moment + (e == 0 ? 1.0 : -1.0) * moment;
}

SLUICE_HD inline double now(const Part& p, const SeriesRange& series, double time) {
    return series.any() ? value_at(sample_at(p.drive->drive.samples, series, time), 0, time) : 0;
}

/// Spring, damper and friction of a joint.
SLUICE_NOINLINE void apply(const Part& p, int j, const EndMotion& first, const EndMotion& second, double time) {
    const Joint& joint = p.joints[j];
    const double stiffness = now(p, joint.stiffness, time), damping = now(p, joint.damping, time);
    const Vec3d axis = second.turned(joint.axis);
    RowNumbers row;
    if (joint.kind == JointKind::linear_spring) {
        direction_of(joint, first, second, axis, row);
        p.joint[j].reaction = -(stiffness * (row.value - joint.rest_length) + damping * row.rate);
        push(p, joint, row, p.joint[j].reaction);
    } else if (joint.about_axis) {
        const double rate = dot(first.omega - second.omega, axis);
        twist(p, joint, -(stiffness * angle_about(joint, first, second) + damping * rate) * axis);
    } else if (stiffness != 0 || damping != 0) {
        const Vec3d spring = second.turned(turned_by(first, second));
        twist(p, joint, -stiffness * spring - damping * (first.omega - second.omega));
    }
    if (joint.friction > 0 && p.joint[j].friction != 0) {
        direction_of(joint, first, second, axis, row);
        push(p, joint, row, p.joint[j].friction);
    }
}

/// The equations of all joints where the bodies are on a course, with the inverse masses.
SLUICE_NOINLINE void find_equations(const Part& p, const Course BodyNumbers::*course, double time) {
    for (int b = 0; b < p.body_count; ++b) find_inverse_inertia(p, b, p.body[b].*course);
    for (int j = 0; j < p.joint_count; ++j) {
        const Joint& joint = p.joints[j];
        if (joint.row_count == 0) continue;
        const EndMotion first = end_motion(p, joint.end[0], course, time),
                        second = end_motion(p, joint.end[1], course, time);
        for (int i = joint.first_row; i < joint.first_row + joint.row_count; ++i) {
            equation_of(p.rows[i], first, second, p.row[i]);
            weigh(p, joint, p.row[i]);
        }
    }
}

/// Adds what the multipliers of all rows do to the accelerations, or to changes of velocities.
SLUICE_NOINLINE void add_multipliers(const Part& p) {
    for (int i = 0; i < p.row_count; ++i) {
        const Joint& joint = p.joints[p.rows[i].joint];
        for (int e = 0; e < 2; ++e)
            if (const int b = joint.end[e].body; b >= 0) {
                p.body[b].acceleration = p.body[b].acceleration + p.row[i].x * p.row[i].moved[e];
                p.body[b].angular = p.body[b].angular + p.row[i].x * p.row[i].turned[e];
            }
    }
}

/// The accelerations of all bodies on a course.
SLUICE_NOINLINE void accelerate(const Part& p, const Course BodyNumbers::*course, double time) {
    for (int b = 0; b < p.body_count; ++b) {
        BodyNumbers& n = p.body[b];
        n.gained = n.force;
        n.gained_moment = n.moment;
    }
    for (int j = 0; j < p.joint_count; ++j) {
        const Joint& joint = p.joints[j];
        if (!joint.stiffness.any() && !joint.damping.any() && !(joint.friction > 0)) continue;
        apply(p, j, end_motion(p, joint.end[0], course, time), end_motion(p, joint.end[1], course, time), time);
    }
    find_equations(p, course, time);
    for (int b = 0; b < p.body_count; ++b) {
        BodyNumbers& n = p.body[b];
        const Body& body = p.drive->bodies[p.bodies[b]];
        const Course& c = n.*course;
        for (int axis = 0; axis < 3; ++axis)
            n.acceleration[axis] =
                n.translates[axis] != 0 ? n.gained[axis] / body.mass + p.drive->drive.gravity[axis] : 0;
        Vec3d inertia[3];
        body::turned_inertia(body.inertia, c.turning, inertia);
        n.angular = body::product(n.inverse_inertia, n.gained_moment - cross(c.omega, body::product(inertia, c.omega)));
    }
    if (p.row_count == 0) return;
    factorise(p);
    for (int i = 0; i < p.row_count; ++i) p.row[i].x = -(p.row[i].bias + along(p, p.joints[p.rows[i].joint], p.row[i]));
    solve(p);
    add_multipliers(p);
}

/// By how much a unit of force along a gradient changes its rate of change, with all joints: gᵀ(M⁻¹ − M⁻¹JᵀA⁻¹JM⁻¹)g.
/// The matrix is factorised. `row` is weighed.
SLUICE_NOINLINE double mobility(const Part& p, const Joint& joint, const RowNumbers& row) {
    double sum = coupling(joint, row, joint, row);
    if (p.row_count == 0) return sum;
    for (int i = 0; i < p.row_count; ++i) p.row[i].x = coupling(p.joints[p.rows[i].joint], p.row[i], joint, row);
    solve(p);
    for (int i = 0; i < p.row_count; ++i) sum -= p.row[i].x * coupling(p.joints[p.rows[i].joint], p.row[i], joint, row);
    return sum > 0 ? sum : 0;
}

/// Sweeps over several frictions that act on one another.
constexpr int friction_sweeps = 16;

/// The friction of each joint over a sub-step: what brings its slip to rest at the end, within its bounds.
SLUICE_NOINLINE void find_friction(const Part& p, const Course BodyNumbers::*course) {
    int count = 0;
    for (int j = 0; j < p.joint_count; ++j) {
        p.joint[j].friction = 0;
        if (p.joints[j].friction > 0) ++count;
    }
    const int sweeps = count == 0 ? 0 : count == 1 ? 1 : friction_sweeps;
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (int j = 0; j < p.joint_count; ++j) {
            const Joint& joint = p.joints[j];
            if (!(joint.friction > 0)) continue;
            accelerate(p, course, p.time);
            const EndMotion first = end_motion(p, joint.end[0], course, p.time),
                            second = end_motion(p, joint.end[1], course, p.time);
            RowNumbers row;
            direction_of(joint, first, second, second.turned(joint.axis), row);
            weigh(p, joint, row);
            const double slip = row.rate / p.dt + row.bias + along(p, joint, row), give = mobility(p, joint, row);
            if (!(give > 0)) continue;
            double friction = p.joint[j].friction - slip / give;
            if (friction > joint.friction) friction = joint.friction;
            if (friction < -joint.friction) friction = -joint.friction;
            p.joint[j].friction = friction;
        }
}

/// The greatest rate of springs and dampers, rad/s: ω² = k e and c e, where e is the mobility along them.
SLUICE_NOINLINE double stiffest_rate(const Part& p, const Course BodyNumbers::*course, double time) {
    bool any = false;
    for (int j = 0; j < p.joint_count; ++j) any = any || p.joints[j].stiffness.any() || p.joints[j].damping.any();
    if (!any) return 0;
    find_equations(p, course, time);
    factorise(p);
    double greatest = 0;
    for (int j = 0; j < p.joint_count; ++j) {
        const Joint& joint = p.joints[j];
        const double stiffness = now(p, joint.stiffness, time), damping = now(p, joint.damping, time);
        if (stiffness == 0 && damping == 0) continue;
        const EndMotion first = end_motion(p, joint.end[0], course, time),
                        second = end_motion(p, joint.end[1], course, time);
        const bool one_way = is_linear(joint) || joint.about_axis;
        for (int axis = 0; axis < (one_way ? 1 : 3); ++axis) {
            Vec3d unit;
            unit[axis] = 1;
            RowNumbers row;
            direction_of(joint, first, second, one_way ? second.turned(joint.axis) : unit, row);
            weigh(p, joint, row);
            const double give = mobility(p, joint, row), swing = sqrt(stiffness * give), decay = damping * give;
            if (swing > greatest) greatest = swing;
            if (decay > greatest) greatest = decay;
        }
    }
    return greatest;
}

SLUICE_HD inline Course rate_of(const BodyNumbers& n, const Course& c) {
    const Vec3d v{c.turning[1], c.turning[2], c.turning[3]}, turning = c.turning[0] * c.omega + cross(c.omega, v);
    return {c.velocity,
            {-0.5 * dot(c.omega, v), 0.5 * turning.x, 0.5 * turning.y, 0.5 * turning.z},
            n.acceleration,
            n.angular};
}

SLUICE_HD inline Course moved(const Course& from, double dt, const Course& rate) {
    Course to = from;
    to.centre = from.centre + dt * rate.centre;
    for (int k = 0; k < 4; ++k) to.turning[k] += dt * rate.turning[k];
    to.velocity = from.velocity + dt * rate.velocity;
    to.omega = from.omega + dt * rate.omega;
    return to;
}

SLUICE_HD inline void make_unit(double turning[4]) {
    double square = 0;
    for (int k = 0; k < 4; ++k) square += turning[k] * turning[k];
    const double inverse = 1 / sqrt(square);
    for (int k = 0; k < 4; ++k) turning[k] *= inverse;
}

/// One step of the classical Runge–Kutta method from `from` to `to`.
SLUICE_NOINLINE void run_through(const Part& p) {
    for (int b = 0; b < p.body_count; ++b) p.body[b].at = p.body[b].to = p.body[b].from;
    SLUICE_ROLLED
    for (int stage = 0; stage < 4; ++stage) {
        accelerate(p, &BodyNumbers::at, p.time + (stage == 0 ? 0 : stage == 3 ? 1 : 0.5) * p.dt);
        for (int b = 0; b < p.body_count; ++b) {
            BodyNumbers& n = p.body[b];
            const Course rate = rate_of(n, n.at);
            n.to = moved(n.to, stage == 0 || stage == 3 ? p.dt / 6 : p.dt / 3, rate);
            if (stage < 3) n.at = moved(n.from, stage == 2 ? p.dt : 0.5 * p.dt, rate);
        }
    }
    for (int b = 0; b < p.body_count; ++b) make_unit(p.body[b].to.turning);
}

/// The greatest |φ| of the rows that are not dropped.
SLUICE_HD inline double greatest_gap(const Part& p) {
    double gap = 0;
    for (int i = 0; i < p.row_count; ++i)
        if (const double here = fabs(p.row[i].value); p.row[i].pivot > 0 && here > gap) gap = here;
    return gap;
}

/// Passes that close the gaps of joints, and the gap at which none more is taken, m or rad.
constexpr int most_passes = 4;
constexpr double closed_gap = 1e-14;

/// Brings places and then velocities back to what the joints allow, by the least change in the metric of the masses.
SLUICE_NOINLINE void project(const Part& p) {
    if (p.row_count == 0) return;
    const double end = p.time + p.dt;
    SLUICE_ROLLED
    for (int pass = 0;; ++pass) {
        find_equations(p, &BodyNumbers::to, end);
        factorise(p);
        for (int b = 0; b < p.body_count; ++b) p.body[b].acceleration = p.body[b].angular = {};
        if (pass == most_passes || greatest_gap(p) <= closed_gap) break;
        for (int i = 0; i < p.row_count; ++i) p.row[i].x = -p.row[i].value;
        solve(p);
        add_multipliers(p);
        for (int b = 0; b < p.body_count; ++b) {
            BodyNumbers& n = p.body[b];
            Course& c = n.to;
            c.centre = c.centre + n.acceleration;
            const Vec3d v{c.turning[1], c.turning[2], c.turning[3]},
                turning = c.turning[0] * n.angular + cross(n.angular, v);
            const double w = 0.5 * dot(n.angular, v);
            c.turning[0] -= w;
            for (int axis = 0; axis < 3; ++axis) c.turning[1 + axis] += 0.5 * turning[axis];
            make_unit(c.turning);
        }
    }
    for (int i = 0; i < p.row_count; ++i) p.row[i].x = -p.row[i].rate;
    solve(p);
    add_multipliers(p);
    for (int b = 0; b < p.body_count; ++b) {
        p.body[b].to.velocity = p.body[b].to.velocity + p.body[b].acceleration;
        p.body[b].to.omega = p.body[b].to.omega + p.body[b].angular;
    }
}

/// The axes on which loads move a body in a sub-step, and its velocities on the others.
SLUICE_NOINLINE void impose(const Part& p, int b) {
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
SLUICE_NOINLINE void take_sub_step(const Part& p) {
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

SLUICE_HD inline int sub_steps(double rate, double dt) {
    const double wanted = ceil(rate * dt / widest_swing);
    return wanted > most_sub_steps ? most_sub_steps : wanted > 1 ? static_cast<int>(wanted) : 1;
}

SLUICE_HD inline Course course_of(const BodyState& s) {
    return {s.centre, {s.turning[0], s.turning[1], s.turning[2], s.turning[3]}, s.velocity, s.angular_velocity};
}

/// The force of the fluid, by the factors that the case gives.
SLUICE_HD inline Vec3d scaled(const Part& p, const Body& given, Vec3d force) {
    if (given.force_factors.any()) {
        const Vec3d factors = body::mean_of(p.drive->drive.samples, given.force_factors, p.time, p.time + p.dt);
        for (int axis = 0; axis < 3; ++axis) force[axis] *= factors[axis];
    }
    return force;
}

/// Takes the states of all bodies, and the loads of the fluid over a stage.
SLUICE_NOINLINE void begin(const Part& p, const BodyState* states, const BodyLoads* loads, bool leaps) {
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

/// Brings the bodies of a mechanism `dt` (s) on from `time`, under loads of the fluid that do not change. `from` and
/// `to` (all bodies of the run) may be the same. In a Verlet step that is not of the Euler form the fluid takes
/// momentum over 2Δt from level n−1: the bodies get the same less what they got in the step before, which
/// BodyState::velocity_previous holds for bodies of mechanisms (the velocity less what the last loads of the fluid have
/// added to it).
SLUICE_HD inline void advance_mechanism(const MechanismView& view, int index, BodyStage stage, const BodyState* from,
                                        const BodyLoads* loads, BodyState* to, const MechanismDrive& drive,
                                        const MechanismNumbers& numbers, double time, double dt) {
    using namespace mechanism;
    Part p = part_of(view, index, drive, numbers);
    if (p.body_count == 0) return;
    if (!is_released(drive.bodies[p.bodies[0]], time) || !(dt > 0)) {
        for (int b = 0; b < p.body_count; ++b)
            if (from != to) to[p.bodies[b]] = from[p.bodies[b]];
        return;
    }
    p.time = time;
    p.dt = dt;
    begin(p, from, loads, stage == BodyStage::verlet_leap);
    for (int b = 0; b < p.body_count; ++b) // what the fluid adds to its velocity
        to[p.bodies[b]].velocity_previous = -1.0 * p.body[b].last_velocity;
    const int count = sub_steps(stiffest_rate(p, &BodyNumbers::from, time), dt);
    p.dt = dt / count;
    SLUICE_ROLLED
    for (int n = 0; n < count; ++n) {
        p.time = time + n * p.dt;
        take_sub_step(p);
    }
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

/// The sub-steps that the springs and dampers of a mechanism take over `dt` (s) from `time`.
SLUICE_HD inline int sub_steps_of(const MechanismView& view, int index, const BodyState* states, const BodyLoads* loads,
                                  const MechanismDrive& drive, const MechanismNumbers& numbers, double time,
                                  double dt) {
    mechanism::Part p = mechanism::part_of(view, index, drive, numbers);
    p.time = time;
    p.dt = dt;
    mechanism::begin(p, states, loads, false);
    return mechanism::sub_steps(mechanism::stiffest_rate(p, &mechanism::BodyNumbers::from, time), dt);
}

/// What the joints of a mechanism do at `time` (s), one report for each in the order of Mechanisms::joints. Friction
/// and the accelerations of walls are those over `dt` (s).
SLUICE_HD inline void report_joints(const MechanismView& view, int index, const BodyState* states,
                                    const BodyLoads* loads, const MechanismDrive& drive,
                                    const MechanismNumbers& numbers, double time, double dt, JointReport* reports) {
    using namespace mechanism;
    Part p = part_of(view, index, drive, numbers);
    p.time = time;
    p.dt = dt;
    begin(p, states, loads, false);
    for (int b = 0; b < p.body_count; ++b) impose(p, b);
    find_friction(p, &BodyNumbers::from);
    accelerate(p, &BodyNumbers::from, time);
    for (int j = 0; j < p.joint_count; ++j) {
        const Joint& joint = p.joints[j];
        const EndMotion first = end_motion(p, joint.end[0], &BodyNumbers::from, time),
                        second = end_motion(p, joint.end[1], &BodyNumbers::from, time);
        const Vec3d axis = second.turned(joint.axis);
        JointReport r;
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

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scheme/joint_equations.h"

// Solves the equations of motion of the bodies of a mechanism: a Lagrange multiplier for each equation of a joint
// (maximal coordinates; docs/theory.md, Mechanisms), springs, dampers and friction beside them, Runge–Kutta's method in
// time and a projection onto what the joints allow.

namespace sluice::mechanism {

/// Keeps of a gradient what belongs to bodies, and finds what it moves them by.
inline void weigh(const Part& p, const Joint& joint, RowNumbers& row) {
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
inline double coupling(const Joint& joint, const RowNumbers& row, const Joint& other, const RowNumbers& weighed) {
    double sum = 0;
    for (int e = 0; e < 2; ++e)
        for (int f = 0; f < 2; ++f)
            if (joint.end[e].body >= 0 && joint.end[e].body == other.end[f].body)
                sum += dot(row.linear[e], weighed.moved[f]) + dot(row.angular[e], weighed.turned[f]);
    return sum;
}

/// How the accelerations of the bodies change what a gradient belongs to.
inline double along(const Part& p, const Joint& joint, const RowNumbers& row) {
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
inline void factorise(const Part& p) {
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
inline void solve(const Part& p) {
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

inline void find_inverse_inertia(const Part& p, int b, const Course& course) {
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
inline void push(const Part& p, const Joint& joint, const RowNumbers& row, double size) {
    for (int e = 0; e < 2; ++e)
        if (const int b = joint.end[e].body; b >= 0) {
            p.body[b].gained = p.body[b].gained + size * row.linear[e];
            p.body[b].gained_moment = p.body[b].gained_moment + size * row.angular[e];
        }
}

/// A moment on the first end, and the opposite one on the second.
inline void twist(const Part& p, const Joint& joint, const Vec3d& moment) {
    for (int e = 0; e < 2; ++e)
        if (const int b = joint.end[e].body; b >= 0)
            p.body[b].gained_moment = p.body[b].gained_moment + (e == 0 ? 1.0 : -1.0) * moment;
}

inline double now(const Part& p, const SeriesRange& series, double time) {
    return series.any() ? value_at(sample_at(p.drive->drive.samples, series, time), 0, time) : 0;
}

/// Spring, damper and friction of a joint.
inline void apply(const Part& p, int j, const EndMotion& first, const EndMotion& second, double time) {
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
inline void find_equations(const Part& p, const Course BodyNumbers::*course, double time) {
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
inline void add_multipliers(const Part& p) {
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
inline void accelerate(const Part& p, const Course BodyNumbers::*course, double time) {
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

/// What a unit of force or impulse does to all bodies that acts on one at an arm, as their accelerations: with all
/// joints, whose matrix is factorised.
inline void find_reply(const Part& p, int body, const Vec3d& arm, const Vec3d& direction) {
    for (int b = 0; b < p.body_count; ++b) p.body[b].acceleration = p.body[b].angular = {};
    BodyNumbers& n = p.body[body];
    const double inverse = 1 / p.drive->bodies[p.bodies[body]].mass;
    for (int axis = 0; axis < 3; ++axis) n.acceleration[axis] = n.translates[axis] != 0 ? inverse * direction[axis] : 0;
    n.angular = body::product(n.inverse_inertia, cross(arm, direction));
    if (p.row_count == 0) return;
    for (int i = 0; i < p.row_count; ++i) p.row[i].x = -along(p, p.joints[p.rows[i].joint], p.row[i]);
    solve(p);
    add_multipliers(p);
}

/// By how much a unit of force along a gradient changes its rate of change, with all joints: gᵀ(M⁻¹ − M⁻¹JᵀA⁻¹JM⁻¹)g.
/// The matrix is factorised. `row` is weighed.
inline double mobility(const Part& p, const Joint& joint, const RowNumbers& row) {
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
inline void find_friction(const Part& p, const Course BodyNumbers::*course) {
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
inline double stiffest_rate(const Part& p, const Course BodyNumbers::*course, double time) {
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

inline Course rate_of(const BodyNumbers& n, const Course& c) {
    Course rate{c.velocity, {}, n.acceleration, n.angular};
    body::rate_of_turning(c.turning, c.omega, rate.turning);
    return rate;
}

inline Course moved(const Course& from, double dt, const Course& rate) {
    Course to = from;
    to.centre = from.centre + dt * rate.centre;
    for (int k = 0; k < 4; ++k) to.turning[k] += dt * rate.turning[k];
    to.velocity = from.velocity + dt * rate.velocity;
    to.omega = from.omega + dt * rate.omega;
    return to;
}

/// One step of the classical Runge–Kutta method from `from` to `to`.
inline void run_through(const Part& p) {
    for (int b = 0; b < p.body_count; ++b) p.body[b].at = p.body[b].to = p.body[b].from;
    for (int stage = 0; stage < 4; ++stage) {
        accelerate(p, &BodyNumbers::at, p.time + (stage == 0 ? 0 : stage == 3 ? 1 : 0.5) * p.dt);
        for (int b = 0; b < p.body_count; ++b) {
            BodyNumbers& n = p.body[b];
            const Course rate = rate_of(n, n.at);
            n.to = moved(n.to, stage == 0 || stage == 3 ? p.dt / 6 : p.dt / 3, rate);
            if (stage < 3) n.at = moved(n.from, stage == 2 ? p.dt : 0.5 * p.dt, rate);
        }
    }
    for (int b = 0; b < p.body_count; ++b) body::make_unit(p.body[b].to.turning);
}

/// The greatest |φ| of the rows that are not dropped.
inline double greatest_gap(const Part& p) {
    double gap = 0;
    for (int i = 0; i < p.row_count; ++i)
        if (const double here = fabs(p.row[i].value); p.row[i].pivot > 0 && here > gap) gap = here;
    return gap;
}

/// Passes that close the gaps of joints, and the gap at which none more is taken, m or rad.
constexpr int most_passes = 4;
constexpr double closed_gap = 1e-14;

/// Brings places and then velocities back to what the joints allow, by the least change in the metric of the masses.
inline void project(const Part& p) {
    if (p.row_count == 0) return;
    const double end = p.time + p.dt;
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
            body::turn_by(c.turning, n.angular);
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

} // namespace sluice::mechanism

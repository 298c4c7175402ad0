// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/moorings.h"
#include <cmath>
#include <initializer_list>

// What acts on the nodes of mooring lines: a lumped-mass model (Hall & Goupee 2015, Ocean Engineering 104, 590) in
// still water (docs/theory.md, Mooring lines). Host and device run the same lines in the same order.

namespace sluice::mooring {

/// Half of the circumference of a circle over its radius.
constexpr double pi = 3.14159265358979323846;

/// How a point moves over a step: with a constant acceleration.
struct Path {
    Vec3d place, velocity, acceleration;

    SLUICE_HD Vec3d place_at(double s) const { return place + s * (velocity + (0.5 * s) * acceleration); }
    SLUICE_HD Vec3d velocity_at(double s) const { return velocity + s * acceleration; }
};

/// How an end of a line moves over a step, and the centre of mass of the body that holds it.
struct EndCourse {
    Path point, centre;
};

/// What an end of a line does to its body in a sub-step, as a mean over the whole step: force and its moment about the
/// centre of mass, N, N m.
struct EndLoad {
    Vec3d force, moment;
};

/// Which node of a line has first lost its course in a step, and when; −1: none has.
struct LineFault {
    int node = -1;
    double time = 0; ///< s
};

/// Arrays that the solver writes: as long as there are nodes, and two ends for each line.
struct Numbers {
    Vec3d* place = nullptr;    ///< in the middle of a sub-step, m
    Vec3d* velocity = nullptr; ///< m/s
    Vec3d* force = nullptr;    ///< N; then the acceleration of free nodes, m/s²
    Vec3d* pull = nullptr;     ///< of the segment behind a node, N
    EndCourse* ends = nullptr;
    EndLoad* given = nullptr;    ///< of each end at a body
    LineFault* faults = nullptr; ///< of each line
};

/// The threads that advance lines together: one alone. On a device warps share the lines, and lanes the nodes of one.
struct Alone {
    /// Calls `work(i)` for each i below `count`, by whole lines, by nodes of the line at hand, by connects.
    template <class Work>
    SLUICE_HD void for_lines(int count, Work&& work) const {
        for (int i = 0; i < count; ++i) work(i);
    }
    template <class Work>
    SLUICE_HD void for_nodes(int count, Work&& work) const {
        for (int i = 0; i < count; ++i) work(i);
    }
    template <class Work>
    SLUICE_HD void for_connects(int count, Work&& work) const {
        for (int i = 0; i < count; ++i) work(i);
    }
    /// Until all threads of the line at hand, or of all lines, have come here.
    SLUICE_HD void join_line() const {}
    SLUICE_HD void join_all() const {}
    /// The least of the numbers of all threads of a line.
    SLUICE_HD int least(int number) const { return number; }
    /// Whether this thread does what one does for all, or for its line.
    SLUICE_HD bool leads() const { return true; }
    SLUICE_HD bool leads_line() const { return true; }
};

SLUICE_HD inline double volume_per_length(const MooringLine& line) { return 0.25 * pi * line.diameter * line.diameter; }
SLUICE_HD inline double segment_length(const MooringLine& line) { return line.length / line.segments; }

/// 1 below the surface of the water, 0 above.
SLUICE_HD inline double wetness(const MooringWater& water, const Vec3d& place) {
    return place.z <= water.surface ? 1 : 0;
}

/// A segment between two nodes.
struct Segment {
    Vec3d direction;                 ///< from the first to the second, unit vector
    double strain = 0;               ///< length over that at rest, less 1
    double tension = 0, damping = 0; ///< N
};

SLUICE_HD inline Segment segment_between(const MooringLine& line, const Vec3d& first, const Vec3d& second,
                                         const Vec3d& relative_velocity) {
    Segment s;
    const double rest = segment_length(line);
    const Vec3d way = second - first;
    const double length = sqrt(dot(way, way));
    if (!(length > 0)) return s;
    s.direction = (1 / length) * way;
    s.strain = length / rest - 1;
    s.tension = s.strain > 0 ? line.stiffness * s.strain : 0;
    s.damping = line.damping * dot(relative_velocity, s.direction) / rest;
    return s;
}

/// What makes the mass of a node: along its tangent and across it. Water that moves with it is part of it.
struct NodeMass {
    Vec3d tangent;
    double along = 0, across = 0; ///< kg
};

/// Where a node lies: on the bottom or not.
struct BedContact {
    double push = 0; ///< N, upwards
    Vec3d friction;  ///< N
};

/// `share`: length of the line that belongs to the node, m. The bottom does not hold a node that leaves it, and its
/// friction is that of a damper until it slides.
SLUICE_HD inline BedContact bed_contact(const MooringLine& line, const MooringWater& water, const Vec3d& place,
                                        const Vec3d& velocity, double share) {
    BedContact contact;
    const double depth = line.bed - place.z;
    if (!(depth > 0)) return contact;
    const double push = (depth * water.bed_stiffness - velocity.z * water.bed_damping) * line.diameter * share;
    contact.push = push > 0 ? push : 0;
    const double speed = sqrt(velocity.x * velocity.x + velocity.y * velocity.y);
    if (!(water.friction > 0) || !(speed > 0)) return contact;
    const double sliding = water.friction * contact.push, sticking = water.friction * water.friction_damping * speed;
    const double size = sticking > water.static_friction * sliding ? sliding : sticking;
    contact.friction = {-size / speed * velocity.x, -size / speed * velocity.y, 0};
    return contact;
}

/// The halves of segments beside a node.
struct NodeShare {
    double length = 0, wet = 0; ///< m, of which in water
    Vec3d tangent;
};

SLUICE_HD inline NodeShare node_share(const MooringLine& line, const MooringWater& water, const Vec3d* place, int k) {
    NodeShare share;
    const double half = 0.5 * segment_length(line), own = wetness(water, place[k]);
    const int before = k > 0 ? k - 1 : k, after = k < line.segments ? k + 1 : k;
    for (const int other : {before, after}) {
        if (other == k) continue;
        share.length += half;
        share.wet += 0.5 * half * (own + wetness(water, place[other]));
    }
    const Vec3d way = place[after] - place[before];
    const double length = sqrt(dot(way, way));
    if (length > 0) share.tangent = (1 / length) * way;
    return share;
}

SLUICE_HD inline NodeMass node_mass(const MooringLine& line, const MooringWater& water, const NodeShare& share) {
    const double own = line.mass * share.length, displaced = water.density * volume_per_length(line) * share.wet;
    return {share.tangent, own + line.tangential_added_mass * displaced, own + line.normal_added_mass * displaced};
}

/// The acceleration that a force gives a node.
SLUICE_HD inline Vec3d acceleration_of(const NodeMass& mass, const Vec3d& force) {
    const Vec3d along = dot(force, mass.tangent) * mass.tangent;
    return (1 / mass.along) * along + (1 / mass.across) * (force - along);
}

/// Weight less buoyancy, drag and the bottom, on node k of a line. `place`, `velocity`: of its nodes. `drag`: factor.
SLUICE_HD inline Vec3d outer_force(const MooringLine& line, const MooringWater& water, const Vec3d* place,
                                   const Vec3d* velocity, int k, const NodeShare& share, double drag) {
    const double displaced = water.density * volume_per_length(line) * share.wet;
    const Vec3d& v = velocity[k];
    const Vec3d along = dot(v, share.tangent) * share.tangent, across = v - along;
    const double pressure = 0.5 * drag * water.density * line.diameter * share.wet;
    const BedContact bed = bed_contact(line, water, place[k], v, share.length);
    Vec3d force = (line.mass * share.length - displaced) * water.gravity + bed.friction;
    force = force - (pressure * line.normal_drag * sqrt(dot(across, across))) * across -
            (pressure * line.tangential_drag * pi * sqrt(dot(along, along))) * along;
    force.z += bed.push;
    return force;
}

/// The pull of segment k of a line at its first node; at its second it is the opposite. Arrays begin at the first node
/// of the line.
SLUICE_HD inline Vec3d pull_of(const MooringLine& line, const Vec3d* place, const Vec3d* velocity, int k) {
    const Segment s = segment_between(line, place[k], place[k + 1], velocity[k + 1] - velocity[k]);
    return (s.tension + s.damping) * s.direction;
}

/// All that acts on node k of a line with these pulls of its segments.
SLUICE_HD inline Vec3d force_on(const MooringLine& line, const MooringWater& water, const Vec3d* place,
                                const Vec3d* velocity, const Vec3d* pull, double drag, int k, const NodeShare& share) {
    Vec3d force;
    if (k > 0) force = -1.0 * pull[k - 1];
    if (k < line.segments) force = force + pull[k];
    return force + outer_force(line, water, place, velocity, k, share, drag);
}

/// The same of all nodes of a line. `pull`: what its segments pull with is written there.
SLUICE_HD inline void find_forces(const MooringLine& line, const MooringWater& water, const Vec3d* place,
                                  const Vec3d* velocity, double drag, Vec3d* pull, Vec3d* force) {
    for (int k = 0; k < line.segments; ++k) pull[k] = pull_of(line, place, velocity, k);
    for (int k = 0; k <= line.segments; ++k)
        force[k] = force_on(line, water, place, velocity, pull, drag, k, node_share(line, water, place, k));
}

/// The acceleration of node k of a line if it is an inner one, and the force on it if it is at an end.
SLUICE_HD inline Vec3d response_of(const MooringLine& line, const MooringWater& water, const Vec3d* place,
                                   const Vec3d* velocity, const Vec3d* pull, double drag, int k) {
    const NodeShare share = node_share(line, water, place, k);
    const Vec3d force = force_on(line, water, place, velocity, pull, drag, k, share);
    const bool inner = k > 0 && k < line.segments;
    return inner ? acceleration_of(node_mass(line, water, share), force) : force;
}

/// Whether segment k of a line is pulled by more than the line bears.
SLUICE_HD inline bool breaks(const MooringLine& line, const MooringNode* nodes, int k) {
    return line.most_tension > 0 &&
           segment_between(line, nodes[k].place, nodes[k + 1].place, {}).tension > line.most_tension;
}

} // namespace sluice::mooring

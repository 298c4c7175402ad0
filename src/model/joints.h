// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/body_series.h"
#include <algorithm>
#include <vector>

// Joints between floating bodies, walls and space, as plain data. Bodies that joints connect are a mechanism: they move
// together (scheme/mechanisms.h).

namespace sluice {

enum class JointKind {
    hinge,           ///< a common point, and turning about a common axis alone
    spheric,         ///< a common point
    point_line,      ///< a point of one body on a line of the other, turning freely, about an axis, or not at all
    linear_spring,   ///< a spring and a damper between two points
    coulomb_damping, ///< a friction of given size against the change of the distance of two points
    pulley,          ///< turning rates about an axis in the inverse ratio of two radii
};

/// What an end of a joint is fixed to.
struct JointEnd {
    int body = -1; ///< index among the bodies of the mechanism; −1: no floating body
    int wall = -1; ///< of RunSetup::motions; −1: none. Neither body nor wall: space
    Vec3d point;   ///< where the joint holds it at time 0, m
};

/// One joint. Places and vectors are those of time 0, from the domain's lower corner.
struct Joint {
    JointKind kind = JointKind::hinge;
    JointEnd end[2];
    bool about_axis = false;        ///< its turning is about `axis` alone; otherwise in any direction
    Vec3d axis;                     ///< of turning, unit vector
    Vec3d line;                     ///< of a point line, unit vector
    SeriesRange stiffness, damping; ///< of RunSetup::body_series: N/m and N s/m; of turning, N m/rad and N m s/rad
    double rest_length = 0;         ///< of a spring, m
    double friction = 0;            ///< of Coulomb's kind, N; of a hinge, N m
    int first_row = 0, row_count = 0;
    int origin = -1; ///< its place among the joints that were asked for
};

/// An equation that a joint imposes.
enum class RowKind {
    along,  ///< b·(p1 − p2) = 0: the points of both ends have no distance along b
    square, ///< a·b = 0: the vectors stay at right angles
    ratio,  ///< r1 a·ω1 = r2 a·ω2: of rates alone
};

/// One scalar equation of a joint, and a row of the matrix of its mechanism.
struct JointRow {
    RowKind kind = RowKind::along;
    int joint = 0;            ///< index among those of the mechanism
    Vec3d a, b;               ///< at time 0: `a` turns with the first end, `b` with the second
    double radius[2] = {};    ///< of `ratio`, m
    int first = 0, entry = 0; ///< the first row that it shares a body with; (row, column) is entry + column
};

/// Bodies that joints connect. Ranges of the lists of `Mechanisms`.
struct Mechanism {
    int first_body = 0, body_count = 0;
    int first_joint = 0, joint_count = 0;
    int first_row = 0, row_count = 0;
    int first_entry = 0, entry_count = 0; ///< of the envelope of its matrix, in the array that all mechanisms share
};

/// All mechanisms of a run by pointers, on the host or on a device.
struct MechanismView {
    const Mechanism* all = nullptr;
    const int* bodies = nullptr; ///< indices in RunSetup::bodies
    const Joint* joints = nullptr;
    const JointRow* rows = nullptr;
    int count = 0;
};

/// All mechanisms of a run.
struct Mechanisms {
    std::vector<Mechanism> all;
    std::vector<int> bodies, of_body; ///< indices in RunSetup::bodies; of each of those its mechanism, −1: none
    std::vector<Joint> joints;
    std::vector<JointRow> rows;
    int entry_count = 0; ///< of all envelopes

    bool any() const { return !all.empty(); }
    MechanismView view() const {
        return {all.data(), bodies.data(), joints.data(), rows.data(), static_cast<int>(all.size())};
    }
};

} // namespace sluice

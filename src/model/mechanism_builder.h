// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/joints.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace sluice {

/// A joint as a case has it: what a run computes of it follows.
struct JointRequest {
    Joint joint;               ///< without rows; the body of an end is an index in RunSetup::bodies
    bool turns = true;         ///< of a point line: whether its bodies turn against each other
    double radius[2] = {1, 1}; ///< of a pulley, m
};

namespace mechanism {

/// Two unit vectors at right angles to a unit vector and to each other.
inline void make_sides(const Vec3d& axis, Vec3d sides[2]) {
    const Vec3d size{std::fabs(axis.x), std::fabs(axis.y), std::fabs(axis.z)};
    Vec3d other; // the axis of the smallest component
    other[size.x <= size.y && size.x <= size.z ? 0 : size.y <= size.z ? 1 : 2] = 1;
    sides[0] = normalized(cross(axis, other));
    sides[1] = cross(axis, sides[0]);
}

inline std::vector<JointRow> equations_of(const JointRequest& request) {
    const Joint& joint = request.joint;
    std::vector<JointRow> rows;
    const auto add = [&](RowKind kind, const Vec3d& a, const Vec3d& b) {
        JointRow row;
        row.kind = kind;
        row.a = a;
        row.b = b;
        rows.push_back(row);
    };
    Vec3d sides[2];
    if (joint.kind == JointKind::hinge || joint.kind == JointKind::spheric)
        for (int axis = 0; axis < 3; ++axis) {
            Vec3d unit;
            unit[axis] = 1;
            add(RowKind::along, {}, unit);
        }
    if (joint.kind == JointKind::point_line) {
        make_sides(joint.line, sides);
        for (const Vec3d& side : sides) add(RowKind::along, {}, side);
    }
    if (joint.about_axis && (joint.kind == JointKind::hinge || joint.kind == JointKind::point_line)) {
        make_sides(joint.axis, sides);
        for (const Vec3d& side : sides) add(RowKind::square, joint.axis, side);
        if (!request.turns) add(RowKind::square, sides[0], sides[1]);
    }
    if (joint.kind == JointKind::pulley) {
        add(RowKind::ratio, joint.axis, {});
        rows.back().radius[0] = request.radius[0];
        rows.back().radius[1] = request.radius[1];
    }
    return rows;
}

/// The mechanism of each body, and of each joint, by the smallest body that they are joined with.
class Connections {
public:
    explicit Connections(std::size_t bodies) : of_(bodies) { std::iota(of_.begin(), of_.end(), 0); }
    int of(int body) const {
        while (of_[std::size_t(body)] != body) body = of_[std::size_t(body)];
        return body;
    }
    void join(int a, int b) {
        a = of(a);
        b = of(b);
        of_[std::size_t(std::max(a, b))] = std::min(a, b);
    }

private:
    std::vector<int> of_;
};

inline bool share_a_body(const Joint& a, const Joint& b) {
    for (const JointEnd& i : a.end)
        for (const JointEnd& j : b.end)
            if (i.body >= 0 && i.body == j.body) return true;
    return false;
}

/// An order in which joints that share a body come close to each other (Cuthill and McKee 1969), from the joint that
/// shares bodies with the fewest others on, the first of equals.
inline std::vector<JointRequest> in_narrow_order(std::vector<JointRequest> joints) {
    std::stable_sort(joints.begin(), joints.end(), [&, all = joints](const JointRequest& a, const JointRequest& b) {
        const auto count = [&](const JointRequest& joint) {
            return std::count_if(all.begin(), all.end(),
                                 [&](const JointRequest& other) { return share_a_body(joint.joint, other.joint); });
        };
        return count(a) < count(b);
    });
    std::vector<JointRequest> ordered;
    std::vector<bool> taken(joints.size());
    std::size_t looked_at = 0;
    while (ordered.size() < joints.size()) {
        if (looked_at == ordered.size()) { // of a part that is not reached yet
            const auto next = std::size_t(std::find(taken.begin(), taken.end(), false) - taken.begin());
            taken[next] = true;
            ordered.push_back(joints[next]);
        }
        const JointRequest from = ordered[looked_at++];
        for (std::size_t k = 0; k < joints.size(); ++k)
            if (!taken[k] && share_a_body(from.joint, joints[k].joint)) {
                taken[k] = true;
                ordered.push_back(joints[k]);
            }
    }
    return ordered;
}

/// The envelope of the matrix: for each row the first one whose joint shares a body with its own.
inline void set_envelope(Mechanism& m, Mechanisms& all) {
    JointRow* const rows = all.rows.data() + m.first_row;
    const Joint* const joints = all.joints.data() + m.first_joint;
    m.first_entry = all.entry_count;
    for (int i = 0; i < m.row_count; ++i) {
        int first = i;
        for (int j = i; j >= 0; --j)
            if (share_a_body(joints[rows[i].joint], joints[rows[j].joint])) first = j;
        rows[i].first = first;
        rows[i].entry = m.entry_count - first;
        m.entry_count += i - first + 1;
    }
    all.entry_count += m.entry_count;
}

} // namespace mechanism

/// Connects bodies by joints: every set of bodies that joints hold together becomes a mechanism, as does each body of
/// `alone` without a joint. Each joint has a floating body at one end at least.
inline Mechanisms make_mechanisms(std::size_t body_count, std::vector<JointRequest> requests,
                                  const std::vector<int>& alone) {
    using namespace mechanism;
    Connections connections(body_count);
    std::vector<bool> belongs(body_count);
    for (const int b : alone) belongs[std::size_t(b)] = true;
    for (std::size_t k = 0; k < requests.size(); ++k) {
        requests[k].joint.origin = static_cast<int>(k);
        const JointEnd(&end)[2] = requests[k].joint.end;
        for (const JointEnd& e : end)
            if (e.body >= 0) belongs[std::size_t(e.body)] = true;
        if (end[0].body >= 0 && end[1].body >= 0) connections.join(end[0].body, end[1].body);
    }
    Mechanisms all;
    all.of_body.assign(body_count, -1);
    for (int root = 0; root < static_cast<int>(body_count); ++root) {
        if (!belongs[std::size_t(root)] || connections.of(root) != root) continue;
        Mechanism m;
        m.first_body = static_cast<int>(all.bodies.size());
        m.first_joint = static_cast<int>(all.joints.size());
        m.first_row = static_cast<int>(all.rows.size());
        std::vector<int> place(body_count, -1);
        for (int b = root; b < static_cast<int>(body_count); ++b) {
            if (!belongs[std::size_t(b)] || connections.of(b) != root) continue;
            place[std::size_t(b)] = m.body_count++;
            all.bodies.push_back(b);
            all.of_body[std::size_t(b)] = static_cast<int>(all.all.size());
        }
        std::vector<JointRequest> own;
        for (const JointRequest& request : requests) {
            const JointEnd(&end)[2] = request.joint.end;
            if (connections.of(end[0].body >= 0 ? end[0].body : end[1].body) == root) own.push_back(request);
        }
        for (JointRequest& request : in_narrow_order(std::move(own))) {
            Joint joint = request.joint;
            for (JointEnd& e : joint.end)
                if (e.body >= 0) e.body = place[std::size_t(e.body)];
            const std::vector<JointRow> rows = equations_of(request);
            joint.first_row = m.row_count;
            joint.row_count = static_cast<int>(rows.size());
            for (JointRow row : rows) {
                row.joint = m.joint_count;
                all.rows.push_back(row);
            }
            m.row_count += joint.row_count;
            ++m.joint_count;
            all.joints.push_back(joint);
        }
        set_envelope(m, all);
        all.all.push_back(m);
    }
    return all;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "setup/mechanisms.h"

#include "core/error.h"
#include "model/mechanism_builder.h"
#include "model/rigid_motions.h"
#include "scheme/mechanism_arrays.h"
#include "setup/body_series.h"
#include "setup/collisions.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

namespace {

const ParticleGroup& group_of(const JointBody& body, const RunSetup& setup) {
    for (const ParticleGroup& group : setup.groups.all())
        if (!group.is_fluid() && group.mk_type == body.mkbound && group.count > 0) return group;
    throw InputError(body.where,
                     fmt::format("\"{}\" of <chrono> is mkbound {}, which has no particles: draw it, or take "
                                 "it out",
                                 body.id, body.mkbound));
}

/// What a joint's end is fixed to. `body`: index in MechanismsDef::bodies, or −1.
JointEnd end_of(const Case& definition, const RunSetup& setup, int body, const Vec3d& point) {
    JointEnd end;
    end.point = point - setup.domain.min;
    if (body < 0) return end;
    const JointBody& given = definition.mechanisms.bodies[std::size_t(body)];
    const ParticleGroup& group = group_of(given, setup);
    if (given.kind == JointBody::Kind::moving) {
        for (const MotionObject& object : definition.motion)
            if (object.mkbound == given.mkbound && object.is_layered)
                throw InputError(given.where, fmt::format("the wall of mkbound {} moves in layers (mlayerpistons), no "
                                                          "joint can hold it",
                                                          given.mkbound));
        end.wall = group.motion;
    }
    if (given.kind != JointBody::Kind::floating) return end;
    for (std::size_t b = 0; b < setup.bodies.size(); ++b)
        if (setup.bodies[b].mk_bound == given.mkbound) end.body = static_cast<int>(b);
    return end;
}

/// In 2-D bodies turn about y alone, and slide in the plane.
void check_plane(const JointDef& given) {
    constexpr double aligned = 1e-9;
    if (given.axis && given.kind != JointKind::point_line && std::fabs(given.axis->y) < 1 - aligned)
        throw InputError(given.where, "the case is 2-D in x–z, and this joint does not turn about y: give rotvector "
                                      "(0, 1, 0)");
    if (given.kind == JointKind::point_line && std::fabs(given.line.y) > aligned)
        throw InputError(given.where, "the case is 2-D in x–z, and this line leads out of it: give slidingvector y=0");
}

JointRequest request_of(const Case& definition, const JointDef& given, RunSetup& setup) {
    JointRequest request;
    Joint& joint = request.joint;
    joint.kind = given.kind;
    for (int e = 0; e < 2; ++e) joint.end[e] = end_of(definition, setup, given.body[e], given.point[e]);
    if (definition.definition.two_d) {
        check_plane(given);
        for (JointEnd& end : joint.end) end.point.y = setup.bodies.front().centre.y;
    }
    joint.about_axis = given.axis.has_value();
    joint.axis = given.axis.value_or(Vec3d{});
    joint.line = given.line;
    joint.stiffness = add_joint_series(definition, given.stiffness, setup.body_series);
    joint.damping = add_joint_series(definition, given.damping, setup.body_series);
    joint.rest_length = given.rest_length;
    joint.friction = given.friction;
    request.turns = given.turns;
    for (int e = 0; e < 2; ++e) request.radius[e] = given.radius[e];
    return request;
}

/// The second body of a pulley turns about the point that the pulley gives if no other joint holds it.
void hold_pulleys(const std::vector<JointDef>& given, std::vector<JointRequest>& requests) {
    for (std::size_t k = 0; k < given.size(); ++k) {
        const Joint pulley = requests[k].joint;
        if (given[k].kind != JointKind::pulley || pulley.end[1].body < 0) continue;
        const bool held = std::any_of(requests.begin(), requests.end(), [&](const JointRequest& other) {
            const JointKind kind = other.joint.kind;
            const bool holds = kind == JointKind::hinge || kind == JointKind::point_line || kind == JointKind::spheric;
            return holds &&
                   (other.joint.end[0].body == pulley.end[1].body || other.joint.end[1].body == pulley.end[1].body);
        });
        if (held) continue;
        JointRequest pivot;
        pivot.joint.kind = JointKind::hinge;
        pivot.joint.end[0] = pulley.end[1];
        pivot.joint.end[1].point = pulley.end[1].point;
        pivot.joint.about_axis = true;
        pivot.joint.axis = pulley.axis;
        requests.push_back(pivot);
    }
}

/// The bodies whose forces are scaled.
std::vector<int> scale_forces(const Case& definition, RunSetup& setup) {
    std::vector<int> scaled;
    for (const ForceFactors& factors : definition.mechanisms.factors) {
        const SeriesRange range = add_factors(definition, factors.series, setup.body_series);
        for (std::size_t b = 0; b < setup.bodies.size(); ++b) {
            const int mk = setup.bodies[b].mk_bound;
            if (std::find(factors.mkbound.begin(), factors.mkbound.end(), mk) == factors.mkbound.end()) continue;
            setup.bodies[b].force_factors = range;
            scaled.push_back(static_cast<int>(b));
        }
    }
    return scaled;
}

const JointDef* origin_of(const Case& definition, const Joint& joint) {
    const auto k = std::size_t(joint.origin);
    return k < definition.mechanisms.joints.size() ? &definition.mechanisms.joints[k] : nullptr;
}

/// How many ways a mechanism has to move: the free axes of its bodies, less its equations that are independent.
int freedom_of(const RunSetup& setup, const Mechanism& m, const std::vector<bool>& dropped) {
    int free = 0;
    for (int k = 0; k < m.body_count; ++k) {
        const Body& body = setup.bodies[std::size_t(setup.mechanisms.bodies[std::size_t(m.first_body + k)])];
        for (int axis = 0; axis < 3; ++axis) free += (body.translates[axis] != 0) + (body.turns[axis] != 0);
    }
    for (int i = 0; i < m.row_count; ++i) free -= !dropped[std::size_t(m.first_row + i)];
    return free;
}

} // namespace

void add_mechanisms(const Case& definition, RunSetup& setup) {
    const MechanismsDef& given = definition.mechanisms;
    if (!given.where) return;
    for (const JointBody& body : given.bodies) group_of(body, setup);
    std::vector<JointRequest> requests;
    for (const JointDef& joint : given.joints) requests.push_back(request_of(definition, joint, setup));
    hold_pulleys(given.joints, requests);
    std::vector<int> alone = scale_forces(definition, setup);
    for (const int body : colliding_bodies(definition, setup)) alone.push_back(body);
    setup.mechanisms = make_mechanisms(setup.bodies.size(), std::move(requests), alone);
    for (std::size_t b = 0; b < setup.bodies.size(); ++b) setup.bodies[b].mechanism = setup.mechanisms.of_body[b];
    add_collisions(definition, setup);
}

void lint_mechanisms(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics) {
    if (!setup.mechanisms.any()) return;
    const std::vector<BodyState> states = initial_states(setup.bodies);
    const std::vector<BodyLoads> loads(states.size());
    MechanismArrays arrays(setup.mechanisms);
    const MechanismDrive drive = mechanism_drive(setup, nullptr);
    // sound crosses a smoothing length in a few steps
    const double dt = setup.constants.dt_fixed > 0 ? setup.constants.dt_fixed
                                                   : setup.constants.cfl * setup.constants.h / setup.constants.c0;
    const auto tell = [&](Diagnostic::Level level, const SourceLocation& where, std::string message) {
        diagnostics.push_back({level, where, std::move(message)});
    };
    for (int index = 0; index < static_cast<int>(setup.mechanisms.all.size()); ++index) {
        const Mechanism& m = setup.mechanisms.all[std::size_t(index)];
        const std::vector<bool> dropped = arrays.dropped_rows(setup.mechanisms, index, states, loads, drive);
        for (int i = 0; i < m.row_count && !setup.constants.two_d; ++i) {
            const auto row = std::size_t(m.first_row + i);
            const Joint& joint = setup.mechanisms.joints[std::size_t(m.first_joint + setup.mechanisms.rows[row].joint)];
            const JointDef* const given = origin_of(definition, joint);
            if (!dropped[row] || !given) continue;
            tell(Diagnostic::Level::info, given->where,
                 fmt::format("the joint {} repeats what other joints or the degrees of freedom of its bodies hold "
                             "already: its forces are shared in a way that rigid bodies cannot tell",
                             given->name));
            break;
        }
        const SourceLocation where = *definition.mechanisms.where;
        if (m.row_count > 0 && freedom_of(setup, m, dropped) <= 0)
            tell(Diagnostic::Level::warning, where,
                 fmt::format("the joints of mkbound {} and what it is joined to leave no way to move",
                             setup.bodies[std::size_t(setup.mechanisms.bodies[std::size_t(m.first_body)])].mk_bound));
        const int steps =
            sub_steps_of(setup.mechanisms.view(), index, states.data(), loads.data(), drive, arrays.numbers(), 0, dt);
        if (steps > 1)
            tell(steps > 100 ? Diagnostic::Level::warning : Diagnostic::Level::info, where,
                 fmt::format("the stiffest spring or damper of the joints of mkbound {} takes {} sub-steps in a step "
                             "of {:.3g} s",
                             setup.bodies[std::size_t(setup.mechanisms.bodies[std::size_t(m.first_body)])].mk_bound,
                             steps, dt));
    }
}

} // namespace sluice

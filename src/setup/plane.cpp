// SPDX-License-Identifier: Apache-2.0
#include "setup/plane.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>

namespace sluice {

namespace {

[[noreturn]] void refuse(const SourceLocation& where, const std::string& what, const char* advice) {
    throw InputError(where, fmt::format("{}, but the case is 2-D in x–z: {}", what, advice));
}

/// How far a map moves places of the plane out of it, m; an affine map by three of them.
double way_out(const Transform& map, double y, double dp) {
    double most = 0;
    for (const Vec3d& p : {Vec3d{0, y, 0}, Vec3d{dp, y, 0}, Vec3d{0, y, dp}})
        most = std::max(most, std::abs(map(p).y - y));
    return most;
}

void check_initial(const InitialState& state, const CaseDefinition& lattice) {
    if (state.velocity && state.velocity->y != 0)
        refuse(state.where, fmt::format("the initial velocity has a y component ({:g} m/s)", state.velocity->y),
               "set it to 0");
    const bool moves = std::ranges::any_of(state.profile, [](const auto& knot) { return knot.speed != 0; });
    if (state.direction && state.direction->y != 0 && moves)
        refuse(state.where,
               fmt::format("the direction of the initial velocity has a y component ({:g})", state.direction->y),
               "set it to 0");
    if (!state.displacement) return;
    if (way_out(*state.displacement, lattice.point_min.y, lattice.dp) > 1e-6 * lattice.dp)
        refuse(state.where, "the initial displacement leads out of the plane",
               "move along x and z, turn about an axis "
               "along y");
}

/// Whether a series of vectors has a component along one of the axes that is not zero.
bool has_along(const std::optional<BodySeries>& series, std::initializer_list<std::size_t> axes) {
    return series && std::ranges::any_of(series->rows, [&](const BodySeries::Row& row) {
               return std::ranges::any_of(axes, [&](std::size_t axis) { return row.value[axis].value_or(0) != 0; });
           });
}

void check_body(const FloatingBody& body) {
    const Vec3d &v = body.velocity, &spin = body.angular_velocity;
    if (v.y != 0)
        refuse(body.where,
               fmt::format("the velocity of the floating body at the start (linearvelini) has a y component "
                           "({:g} m/s)",
                           v.y),
               "set it to 0");
    if (spin.x != 0 || spin.z != 0)
        refuse(body.where,
               fmt::format("the floating body turns at the start (angularvelini) about x or z ({:g}, {:g} rad/s)",
                           spin.x, spin.z),
               "let it turn about y alone");
    if (has_along(body.imposed_velocity, {1}))
        refuse(body.imposed_velocity->where, "the velocity imposed on the floating body (linearvel) has a y component",
               "set it to 0");
    if (has_along(body.imposed_turning, {0, 2}))
        refuse(body.imposed_turning->where, "the floating body is to turn (angularvel) about x or z",
               "let it turn about y alone");
}

} // namespace

void require_in_plane(const Case& definition) {
    if (!definition.definition.two_d) return;
    const Vec3d& gravity = definition.constants.gravity;
    if (gravity.y != 0) {
        const auto said = std::ranges::find(definition.effective, "gravity", &EffectiveValue::name);
        refuse(said != definition.effective.end() ? said->where : SourceLocation{definition.file.string(), 0},
               fmt::format("gravity has a y component ({:g})", gravity.y), "set it to 0");
    }
    for (const InitialState& state : definition.initials) check_initial(state, definition.definition);
    for (const FloatingBody& body : definition.floatings) check_body(body);
}

} // namespace sluice

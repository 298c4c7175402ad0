// SPDX-License-Identifier: Apache-2.0
#include "setup/plane.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

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

} // namespace

void require_in_plane(const Case& definition) {
    if (!definition.definition.two_d) return;
    const Vec3d& gravity = definition.constants.gravity;
    if (gravity.y != 0)
        refuse({definition.file.string(), 0}, fmt::format("gravity has a y component ({:g})", gravity.y),
               "set it to 0");
    for (const InitialState& state : definition.initials) check_initial(state, definition.definition);
}

} // namespace sluice

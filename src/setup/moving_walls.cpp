// SPDX-License-Identifier: Apache-2.0
#include "setup/moving_walls.h"

#include "core/extent.h"
#include "model/motion.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

/// Whether a place is out of the domain for good: beyond a side that is not periodic.
bool is_outside(const RunSetup& setup, const Vec3d& place) {
    const Vec3d size = setup.domain.max - setup.domain.min, inside = setup.period.wrapped_from_afar(place, size);
    for (int axis = 0; axis < 3; ++axis)
        if (!(inside[axis] >= 0 && inside[axis] <= size[axis])) return true;
    return false;
}

constexpr int looks = 1000; ///< at a motion, from the start of the run to TimeMax

bool holds(const Box& box, const Vec3d& place) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(place[axis] >= box.min[axis] && place[axis] <= box.max[axis])) return false;
    return true;
}

/// The places of a group at the start of the run, and the corners of the box around them.
struct Wall {
    const Vec3d* begin;
    const Vec3d* end;
    Vec3d corners[8];
};

Wall wall_between(const Vec3d* begin, std::uint32_t count) {
    Wall wall;
    wall.begin = begin;
    wall.end = begin + count;
    Extent extent;
    std::for_each(wall.begin, wall.end, [&](const Vec3d& place) { extent.add(place); });
    for (int k = 0; k < 8; ++k)
        wall.corners[k] = {k & 1 ? extent.max.x : extent.min.x, k & 2 ? extent.max.y : extent.min.y,
                           k & 4 ? extent.max.z : extent.min.z};
    return wall;
}

bool leaves(const RunSetup& setup, const Wall& wall, const RigidMotion& motion) {
    const auto outside = [&](const Vec3d& start) { return is_outside(setup, motion.position_of(start)); };
    return std::any_of(std::begin(wall.corners), std::end(wall.corners), outside) &&
           std::any_of(wall.begin, wall.end, outside);
}

} // namespace

Domain with_motions(const Domain& domain, const Case& definition, const ParticleSet& particles,
                    const Motions& motions) {
    const ExecutionParameters& p = definition.parameters;
    const double step = p.time_max / looks;
    Box reached = domain; // by walls
    const ParticleGroups groups = groups_of(particles.blocks);
    for (const ParticleGroup& group : groups.all()) {
        if (group.motion < 0 || group.count == 0) continue;
        const Wall wall = wall_between(particles.position.data() + group.begin, group.count);
        for (int k = 0; k <= looks; ++k) {
            const RigidMotion motion = motion_at(motions.view(), group.motion, k * step);
            const auto is_reached = [&](const Vec3d& start) { return holds(reached, motion.position_of(start)); };
            if (std::ranges::all_of(wall.corners, is_reached)) continue;
            std::for_each(wall.begin, wall.end, [&](const Vec3d& start) {
                const Vec3d place = motion.position_of(start), way = (0.5 * step) * motion.velocity_at(place);
                if (holds(reached, place)) return;
                for (int axis = 0; axis < 3; ++axis) {
                    if (place[axis] < reached.min[axis]) reached.min[axis] = place[axis] - std::abs(way[axis]);
                    if (place[axis] > reached.max[axis]) reached.max[axis] = place[axis] + std::abs(way[axis]);
                }
            });
        }
    }
    Domain wide = domain;
    const double margin = 0.5 * particles.dp;
    for (int axis = 0; axis < 3; ++axis) {
        if (p.periodic[axis]) continue;
        if (reached.min[axis] < domain.min[axis] && p.domain_min[axis].from_default)
            wide.min[axis] = reached.min[axis] - margin;
        if (reached.max[axis] > domain.max[axis] && p.domain_max[axis].from_default)
            wide.max[axis] = reached.max[axis] + margin;
    }
    constexpr double most = 2e9; // of cells: a wall that goes further leaves the domain, with a warning
    const Vec3d size = wide.max - wide.min;
    const double cells = (size.x / particles.dp + 1) * (size.y / particles.dp + 1) * (size.z / particles.dp + 1);
    return cells <= most ? wide : domain;
}

void lint_moving_walls(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics) {
    for (const ParticleGroup& group : setup.groups.all()) {
        if (group.motion < 0 || group.count == 0) continue;
        const Wall wall = wall_between(setup.rigid.start.data() + (group.begin - setup.rigid.begin), group.count);
        for (int k = 0; k <= looks; ++k) {
            const double time = definition.parameters.time_max * k / looks;
            if (!leaves(setup, wall, motion_at(setup.motions.view(), group.motion, time))) continue;
            diagnostics.push_back({Diagnostic::Level::warning,
                                   definition.motion[static_cast<std::size_t>(group.motion)].where,
                                   fmt::format("the moving wall of mkbound {} leaves the domain at {:.4g} s, where the "
                                               "run would end: widen simulationdomain, or set TimeMax below",
                                               group.mk_type, time)});
            break;
        }
    }
}

} // namespace sluice

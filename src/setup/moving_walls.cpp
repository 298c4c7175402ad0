// SPDX-License-Identifier: Apache-2.0
#include "setup/moving_walls.h"

#include "core/extent.h"
#include "model/motion.h"
#include <algorithm>
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

/// The places of a group at the start of the run, and the corners of the box around them.
struct Wall {
    const Vec3d* begin;
    const Vec3d* end;
    Vec3d corners[8];
};

Wall wall_of(const RunSetup& setup, const ParticleGroup& group) {
    Wall wall;
    wall.begin = setup.rigid.start.data() + (group.begin - setup.rigid.begin);
    wall.end = wall.begin + group.count;
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

void lint_moving_walls(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics) {
    constexpr int looks = 1000;
    for (const ParticleGroup& group : setup.groups.all()) {
        if (group.motion < 0 || group.count == 0) continue;
        const Wall wall = wall_of(setup, group);
        for (int k = 0; k <= looks; ++k) {
            const double time = definition.parameters.time_max * k / looks;
            if (!leaves(setup, wall, motion_at(setup.motions.view(), group.motion, time))) continue;
            diagnostics.push_back({Diagnostic::Level::warning,
                                   definition.motion[static_cast<std::size_t>(group.motion)].where,
                                   fmt::format("the moving wall of mkbound {} leaves the domain by {:.4g} s, where the "
                                               "run would end: widen simulationdomain, or set TimeMax below",
                                               group.mk_type, time)});
            break;
        }
    }
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "model/frame.h"
#include "model/run_setup.h"
#include <cmath>
#include <cstddef>

// Following fluid particles from one stored frame to the next by their ids.

namespace sluice {

/// Whether a point lies in a box, its faces included; in two dimensions y does not count.
inline bool in_box(const Box& box, const Vec3d& p, bool two_d) {
    return p.x >= box.min.x && p.x <= box.max.x && p.z >= box.min.z && p.z <= box.max.z &&
           (two_d || (p.y >= box.min.y && p.y <= box.max.y));
}

/// The way of a particle between two frames, m: across a periodic side where that is shorter.
inline Vec3d way_between(const Vec3d& before, const Vec3d& after, const RunSetup& setup) {
    Vec3d way = after - before;
    for (int axis = 0; axis < 3; ++axis) {
        if (!setup.period.periodic[axis]) continue;
        const double size = setup.domain.max[axis] - setup.domain.min[axis];
        way = way - std::round(way[axis] / size) * setup.period.shift[axis];
    }
    return way;
}

/// Calls `use(i, j)` for each fluid particle of two frames with its places in `before` and `after`; `before.size()` or
/// `after.size()` where it is not in one of them: it was created, or it has left.
template <class Use>
void for_each_followed(const Frame& before, const Frame& after, const ParticleGroups& groups, const Use& use) {
    std::size_t i = groups.fluid_begin(before.id), j = groups.fluid_begin(after.id);
    while (i < before.size() || j < after.size()) {
        const bool only_after = i == before.size() || (j < after.size() && after.id[j] < before.id[i]);
        const bool only_before = !only_after && (j == after.size() || before.id[i] < after.id[j]);
        use(only_after ? before.size() : i, only_before ? after.size() : j);
        i += only_after ? 0 : 1;
        j += only_before ? 0 : 1;
    }
}

/// The volume of a fluid particle at the reference density, m³ (m² in two dimensions): sums of it keep what comes and
/// goes equal to what changes.
inline double particle_volume(const sph::Constants& constants) { return constants.mass_fluid / constants.rho0; }

} // namespace sluice

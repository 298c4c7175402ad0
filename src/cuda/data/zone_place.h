// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/fixed_grid.h"
#include "physics/open_zones.h"

namespace sluice::cuda {

/// A place of the grid in metres from the domain's corner.
SLUICE_HD inline Vec3d metres_of(const FixedGrid& grid, const Units64& u) {
    return double(grid.unit) * Vec3d{double(u.x), double(u.y), double(u.z)};
}

/// The place of the grid at a depth behind the point of a zone's column; rounding to the grid brings it no deeper than
/// the zone.
SLUICE_HD inline Units64 zone_place(const FixedGrid& grid, const OpenZone& zone, const Vec3d& point, double depth) {
    Units64 u = units_of(grid, point - depth * zone.direction);
    for (int n = 0; n < 4 && depth_in(zone, metres_of(grid, u)) > zone.depth; ++n) {
        depth -= double(grid.unit);
        u = units_of(grid, point - depth * zone.direction);
    }
    return u;
}

} // namespace sluice::cuda

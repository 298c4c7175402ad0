// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include <vector>

namespace sluice {

/// Where the columns of a zone stand, and the plane that they stand across.
struct ZonePoints {
    std::vector<Vec3d> points;   ///< absolute, m
    Vec3d direction, across, up; ///< unit vectors; the points lie along the last two
};

/// The points of a zone. Throws InputError where there are none, or where they do not lie across the direction.
ZonePoints zone_points(const Case& definition, const OpenZoneDef& zone, const ParticleSet& particles);

/// The particles of a zone's mkfluid, in the order of its points.
const ParticleBlock& zone_block(const OpenZoneDef& zone, const ParticleSet& particles);

} // namespace sluice

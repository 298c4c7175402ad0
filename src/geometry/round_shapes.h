// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/canvas.h"
#include <optional>

// Round bodies. Centres are nodes, lengths in units of dp where nothing else is said.

namespace sluice {

/// Which nodes of a round body to draw: those at most `inside` away and those near the `surface`, if there are such.
struct RoundParts {
    std::optional<double> surface, inside;
};

void draw_ball(Canvas& canvas, const Vec3i& center, const RoundParts& parts);

/// A cylinder between two nodes; nothing if they are one. Its inside and the discs at its ends reach to the radius, m,
/// as it is; its tube is a shell at the radius rounded to whole dp, between the planes of the ends.
struct CylinderParts {
    bool cover_from = true, cover_to = true, tube = true, inside = true;
};
void draw_cylinder(Canvas& canvas, const Vec3i& from, const Vec3i& to, double radius, CylinderParts parts);

/// What is away from a ball's centre is for an ellipsoid the sum of the distances to its foci.
void draw_ellipsoid(Canvas& canvas, const Vec3i& focus1, const Vec3i& focus2, const RoundParts& parts);

} // namespace sluice

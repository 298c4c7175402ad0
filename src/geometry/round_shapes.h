// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/canvas.h"

// Round bodies. Centres are nodes; radii are in units of dp, already rounded to the lattice.

namespace sluice {

/// Which parts of a round body to draw.
struct RoundParts {
    bool surface = true, inside = true;
};

void draw_ball(Canvas& canvas, const Vec3i& center, double radius, RoundParts parts);

/// A cylinder; `cover_from`, `cover_to` and `tube` choose the faces.
struct CylinderParts {
    bool cover_from = true, cover_to = true, tube = true, inside = true;
};
void draw_cylinder(Canvas& canvas, const Vec3i& from, const Vec3i& to, double radius, CylinderParts parts);

/// Nodes whose distances to the foci sum to at most twice the radius.
void draw_ellipsoid(Canvas& canvas, const Vec3i& focus1, const Vec3i& focus2, double radius, RoundParts parts);

} // namespace sluice

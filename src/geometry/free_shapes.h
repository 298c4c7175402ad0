// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/commands.h"
#include "geometry/canvas.h"

// Shapes off the lattice: particles stand at the exact places of a shape, about dp apart. Places are metres, after the
// transformation. How many steps a length has, and what comes first (a later particle removes those too near), is the
// reference generator's.

namespace sluice {

/// Lines from each point to the next: the whole number of steps nearest to length/dp, the smaller one halfway.
void draw_lines_freely(Canvas& canvas, const std::vector<Vec3d>& points);

/// A parallelogram: ceil(length/dp) steps on each side.
void draw_parallelogram_freely(Canvas& canvas, const Vec3d& corner, const Vec3d& side1, const Vec3d& side2);

/// The inside and the edge of a triangle: places of a square lattice in its plane, which is the lattice's x and y axes
/// turned so that x stays across y (for a plane across y: its x and z axes), through the lattice's first node.
void draw_triangle_freely(Canvas& canvas, const Vec3d& a, const Vec3d& b, const Vec3d& c);

/// The surface that a polyline sweeps; in 2-D its cut with the plane.
void draw_swept_freely(Canvas& canvas, const std::vector<Vec3d>& points, const Vec3d& sweep, bool closed);

/// A box from its corner and its three edges; `fill` as in DrawBox.
void draw_box_freely(Canvas& canvas, const Vec3d& corner, const std::array<Vec3d, 3>& edges, unsigned fill);

/// A ball of rings around z, or its surface; in 2-D a disc of rings, or a circle.
void draw_ball_freely(Canvas& canvas, const Vec3d& center, double radius, bool inside);

/// A cylinder of rings, m, and which parts of it to draw: its inside, or of its surface the tube and the discs at its
/// ends.
struct FreeCylinder {
    Vec3d from, to;
    double radius = 0;
    bool inside = false, tube = true, cover_from = true, cover_to = true;
    bool is_layer = false; ///< drawn in 2-D by the rows in the plane, not as a disc or a circle
};
/// Throws InputError for a cylinder that is not across the plane in 2-D.
void draw_cylinder_freely(Canvas& canvas, const FreeCylinder& cylinder);

} // namespace sluice

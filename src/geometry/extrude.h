// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/canvas.h"
#include "geometry/flat_shapes.h"

// Shapes made of quadrilaterals. Coordinates are metres.

namespace sluice {

/// The polyline moved sideways by `distance`, in the plane across `sweep`: positive to the side of direction × sweep.
/// Corners are mitred.
std::vector<Vec3d> offset_polyline(const std::vector<Vec3d>& points, const Vec3d& sweep, bool closed, double distance);

/// The surface that a polyline sweeps, or the edges of its quadrilaterals.
void draw_swept(Canvas& canvas, const std::vector<Vec3d>& points, const Vec3d& sweep, bool closed, bool wire);

/// The node nearest to a place.
Corner nearest_node(const Lattice& lattice, const Vec3d& place);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/triangle_tree.h"
#include <map>
#include <vector>

namespace sluice {

/// Surfaces of walls by mkbound.
using WallSurfaces = std::map<int, std::vector<Facet>>;

/// The boundary shapes that the shapeout `geometry.shapes` of the case names, with the transformations and clips under
/// which they are drawn. In 2-D they are strips across the plane. Throws InputError if there is no such shapeout, if it
/// does not have the shapes as `geometry` wants them, or if it has none of the boundary.
WallSurfaces shapes_of_walls(const Case& the_case, const NormalsGeometry& geometry);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "core/triangle_tree.h"
#include <array>
#include <map>
#include <vector>

namespace sluice {

/// The surface of a wall.
struct WallShapes {
    std::vector<Facet> facets;
    bool meshes = true; ///< all of it is of files
    bool closed = true; ///< each of these meshes encloses something
};

/// Surfaces of walls by mkbound.
using WallSurfaces = std::map<int, WallShapes>;

/// The boundary shapes that the shapeout `geometry.shapes` of the case names, with the transformations and clips under
/// which they are drawn. In 2-D they are strips across the plane. Throws InputError if there is no such shapeout, if it
/// does not have the shapes as `geometry` wants them, or if it has none of the boundary.
WallSurfaces shapes_of_walls(const Case& the_case, const NormalsGeometry& geometry);

/// The boundary shapes of the whole case, as above. `on_lattice`: those of setshapemode dp, with their corners on the
/// nodes of the lattice, else those of actual. A boundary without a shape is left out.
WallSurfaces shapes_drawn(const Case& the_case, bool on_lattice);

/// What was drawn of a wall or a body: triangles, or in a 2-D case the lines in which they cut its plane.
struct DrawnWall {
    std::vector<Facet> facets;
    std::vector<std::array<Vec3d, 2>> lines; ///< with the normals' side on their left, seen from −y
};

/// The surfaces of what the drawing commands of a case draw as boundary particles, by mkbound, as they lie at time 0,
/// with transformations, clips and the displacements of casedef/initials: of each command that leaves particles
/// (drawpoints of setactive), whatever setshapemode says. What later commands draw over or erase is still there.
/// Points, lines, fills and redraws have no surface. Throws InputError for a file that cannot be read.
std::map<int, DrawnWall> drawn_walls(const Case& the_case);

} // namespace sluice

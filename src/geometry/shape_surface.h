// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "core/triangle_tree.h"
#include <array>
#include <filesystem>
#include <vector>

// Drawn shapes as surfaces: triangles where the case has them, not where the lattice does.

namespace sluice {

/// How a shape becomes a surface.
struct SurfaceInk {
    Transform matrix;
    double dp = 0; ///< that layers are counted in, m
    bool two_d = false;
    std::filesystem::path data_folder;
    SourceLocation where;

    /// The corners of figures are turned round by a reflection.
    bool mirrored() const { return matrix.determinant() < 0; }
};

/// The triangles of a drawing command; none for points, lines, water and commands that do not draw. Their normals point
/// out of closed bodies (boxes, balls, cylinders, prisms, pyramids, figures), to the side of direction × extrude,
/// upwards on bathymetries, and where the right-hand rule has them on other faces and meshes. Round surfaces have 192
/// to 512 sides. Throws InputError for a file that cannot be read.
std::vector<Facet> surface_of(const GeometryAction& action, const SurfaceInk& ink);

/// What is left of triangles on the kept side of a clip.
std::vector<Facet> clipped(const std::vector<Facet>& facets, const ClipHalfSpace& clip);

/// Both ends of a line.
using Segment = std::array<Vec3d, 2>;

/// In a 2-D case: the cuts of triangles with the plane of constant `y`. The sides that the normals point to are on the
/// left of the cuts, seen from −y. Triangles in the plane have none.
std::vector<Segment> cuts_with(const std::vector<Facet>& facets, double y, double dp);

/// The same cuts as strips across the plane.
std::vector<Facet> strips_across(const std::vector<Facet>& facets, double y, double dp);

} // namespace sluice

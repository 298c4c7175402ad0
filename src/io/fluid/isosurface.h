// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <array>
#include <cstdint>
#include <vector>

namespace sluice {

/// Values at the nodes of a lattice, x fastest.
struct LatticeField {
    Vec3d origin;       ///< node (0, 0, 0), m
    double spacing = 0; ///< m
    Vec3i nodes;        ///< along each direction
    std::vector<float> value;

    std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(nodes.y) + static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(nodes.x) +
               static_cast<std::size_t>(x);
    }
    Vec3d position(int x, int y, int z) const { return origin + spacing * Vec3d{double(x), double(y), double(z)}; }
};

/// Triangles over shared points, with their normals (by the right-hand rule) out of the enclosed body.
struct TriangleMesh {
    std::vector<Vec3d> points; ///< m
    std::vector<Vec3i> triangles;

    /// The volume enclosed by a closed mesh, m³.
    double volume() const;
};

/// Line segments over shared points of the plane x–z, with the enclosed body on their left (seen from −y).
struct LineMesh {
    std::vector<Vec3d> points; ///< m
    std::vector<std::array<int, 2>> lines;

    /// The area enclosed by a closed mesh, m².
    double area() const;
};

/// A unit vector out of the enclosed body at each point: the mean of the normals of what meets there, by area (in the
/// plane by length); zero where nothing does.
std::vector<Vec3f> normals_of(const TriangleMesh& mesh);
std::vector<Vec3f> normals_of(const LineMesh& mesh);

/// The surface on which a field equals `level`, around the values above it, by marching tetrahedra: each cube of the
/// lattice is cut into six tetrahedra around the same diagonal, so that neighbouring cubes agree on their common faces
/// and the surface has no holes. It is closed where the outermost nodes are below the level, and
/// ends at cubes with a node without a value (NaN).
TriangleMesh isosurface(const LatticeField& field, double level);

/// The same in the plane x–z, for a field of one layer in y: each square of the lattice is cut into two triangles.
LineMesh isoline(const LatticeField& field, double level);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/commands.h"
#include "geometry/flat_shapes.h"

// What the faces of a body enclose, as the reference generator decides it: by the planes of the faces, whose normals
// (from the order of their corners) must point outward. A body whose corners turn the other way has no inside.

namespace sluice {

/// The plane through three places, by the arithmetic that decides for nodes on it.
class Plane {
public:
    Plane(const Vec3d& a, const Vec3d& b, const Vec3d& c);
    Plane(const Vec3d& point, const Vec3d& normal) : normal_(normal), offset_(-dot(normal, point)) {}
    /// Positive on the side of the normal; times the length of the normal, a distance in metres.
    double operator()(const Vec3d& p) const { return p.x * normal_.x + p.y * normal_.y + p.z * normal_.z + offset_; }
    const Vec3d& normal() const { return normal_; }
    bool flat() const { return dot(normal_, normal_) == 0; }

private:
    Vec3d normal_;
    double offset_;
};

/// Draws the nodes strictly inside a body of triangles or a prism whose corners are at `nodes`.
void draw_enclosed(Canvas& canvas, const DrawFaces& body, const std::vector<Corner>& nodes);

/// The same as a grid of 1 and 0.
ParticleGrid enclosed_by(const Lattice& lattice, const DrawFaces& body, const std::vector<Corner>& nodes);

} // namespace sluice

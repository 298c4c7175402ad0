// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/fluid/isosurface.h"
#include <span>
#include <variant>
#include <vector>

// Surfaces that go with particles: those of walls and bodies, which frames hold as particles.

namespace sluice {

/// A mesh whose edges are not longer than `longest`, m: longer ones are halved again and again, in all triangles that
/// share them.
TriangleMesh refined(TriangleMesh mesh, double longest);
LineMesh refined(LineMesh mesh, double longest);

/// A surface that was drawn with particles at time 0 and moves as they do.
class CarriedSurface {
public:
    /// `particles`: their places at time 0, m, in the order in which at() gets them later.
    CarriedSurface(std::variant<TriangleMesh, LineMesh> mesh, std::vector<Vec3d> particles, double dp, bool two_d);

    /// The surface when the particles are at `places`. If they have moved as a rigid body, within a tenth of dp, so
    /// does it; else each point moves with the particles around it, on a mesh with edges of 2 dp at most.
    std::variant<TriangleMesh, LineMesh> at(std::span<const Vec3d> places) const;

private:
    std::variant<TriangleMesh, LineMesh> mesh_;
    std::vector<Vec3d> particles_;
    double dp_;
    bool two_d_;
};

} // namespace sluice

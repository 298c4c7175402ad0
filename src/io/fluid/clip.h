// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/fluid/isosurface.h"

namespace sluice {

/// One side of a plane across an axis.
struct HalfSpace {
    int axis = 0;
    double at = 0;     ///< m
    bool below = true; ///< the side of the smaller coordinates
};

/// The part of a mesh in a half-space, which ends at the plane and is open there.
TriangleMesh clipped(const TriangleMesh& mesh, const HalfSpace& space);
LineMesh clipped(const LineMesh& mesh, const HalfSpace& space);

/// The part of a mesh in which a value, given at its points and linear between them, is zero or less.
TriangleMesh clipped_by(const TriangleMesh& mesh, const std::vector<double>& outside);
LineMesh clipped_by(const LineMesh& mesh, const std::vector<double>& outside);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <vector>

namespace sluice {

/// How a rigid object lies, seen from where it lay: p goes to `after` + R (p − `before`).
struct RigidPlacement {
    Vec3d before{}, after{};                           ///< centres of its particles, m
    Vec3d rows[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; ///< of R
    double error = 0;      ///< the largest distance of a particle from where it should be, m
    bool is_unique = true; ///< false: the particles lie on a line, and how the object turns about it cannot be seen

    Vec3d turned(const Vec3d& v) const { return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)}; }
    Vec3d placed(const Vec3d& p) const { return after + turned(p - before); }
};

/// The placement that brings the particles of an object from `before` to `after`, in the same order and at least one,
/// with the least sum of squared distances: by a unit quaternion, the eigenvector of the largest eigenvalue of a
/// symmetric 4 × 4 matrix (Horn 1987, J. Opt. Soc. Am. A 4, 629, sect. 4). In two dimensions the object turns about y
/// alone.
RigidPlacement fit_placement(const std::vector<Vec3d>& before, const std::vector<Vec3d>& after, bool two_d);

} // namespace sluice

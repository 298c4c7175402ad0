// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/rigid_motion.h"
#include <span>

namespace sluice {

/// How a rigid object has moved, by points of it.
struct RigidFit {
    RigidMotion motion;    ///< velocities are zero
    double error = 0;      ///< the largest distance of a point from where the motion brings it, m
    bool is_unique = true; ///< false: the points lie on a line, and how the object turns about it cannot be seen
};

/// The rigid motion that brings points from `before` to `after`, in the same order, with the least sum of squared
/// distances: by a unit quaternion, the eigenvector of the largest eigenvalue of a symmetric 4 × 4 matrix (Horn 1987,
/// J. Opt. Soc. Am. A 4, 629, sect. 4). In two dimensions the object turns about y alone. What the points leave open,
/// as the turn of a line about itself, is as small as it can be; without points nothing moves.
RigidFit fit_rigid_motion(std::span<const Vec3d> before, std::span<const Vec3d> after, bool two_d);

} // namespace sluice

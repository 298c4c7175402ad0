// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"

namespace sluice {

/// The rows of the rotation matrix of a unit quaternion (w, x, y, z).
SLUICE_HD inline void rows_of_turning(const double turning[4], Vec3d rows[3]) {
    const double w = turning[0], x = turning[1], y = turning[2], z = turning[3];
    rows[0] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)};
    rows[1] = {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)};
    rows[2] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
}

/// Where a rigid object is at one time, and how it moves: a point that was at p when the run began is at
/// rotation·p + translation, and moves with velocity + angular_velocity × (where it is).
struct RigidMotion {
    Vec3d rotation[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; ///< rows of the orthogonal matrix
    Vec3d translation;                                     ///< m
    Vec3d velocity;                                        ///< of the point of the object that is at the origin, m/s
    Vec3d angular_velocity;                                ///< rad/s

    SLUICE_HD Vec3d turned(const Vec3d& v) const {
        return {dot(rotation[0], v), dot(rotation[1], v), dot(rotation[2], v)};
    }
    /// The place of the point that was at `start`, m.
    SLUICE_HD Vec3d position_of(const Vec3d& start) const { return turned(start) + translation; }
    /// The velocity of the point that is at `position`, m/s.
    SLUICE_HD Vec3d velocity_at(const Vec3d& position) const { return velocity + cross(angular_velocity, position); }
    /// The velocity of the point that was at `start`, m/s.
    SLUICE_HD Vec3d velocity_of(const Vec3d& start) const { return velocity_at(position_of(start)); }
};

/// The motion of an object whose surroundings move by `outer`, and which moves by `inner` as seen from them.
SLUICE_HD inline RigidMotion composed(const RigidMotion& outer, const RigidMotion& inner) {
    RigidMotion result;
    const Vec3d columns[3] = {{inner.rotation[0].x, inner.rotation[1].x, inner.rotation[2].x},
                              {inner.rotation[0].y, inner.rotation[1].y, inner.rotation[2].y},
                              {inner.rotation[0].z, inner.rotation[1].z, inner.rotation[2].z}};
    for (int row = 0; row < 3; ++row)
        result.rotation[row] = {dot(outer.rotation[row], columns[0]), dot(outer.rotation[row], columns[1]),
                                dot(outer.rotation[row], columns[2])};
    result.translation = outer.position_of(inner.translation);
    const Vec3d turning = outer.turned(inner.angular_velocity);
    result.angular_velocity = outer.angular_velocity + turning;
    result.velocity = outer.velocity + outer.turned(inner.velocity) - cross(turning, outer.translation);
    return result;
}

} // namespace sluice

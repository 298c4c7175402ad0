// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cmath>

namespace sluice::collision {

/// How far a point is from a surface, m, negative inside; and the unit vector away from the solid there.
struct Nearness {
    double distance = 0;
    Vec3d normal;
};

inline Nearness distance_to_ball(const Vec3d& centre, double radius, const Vec3d& p) {
    const Vec3d way = p - centre;
    const double length = norm(way);
    return {length - radius, length > 0 ? (1 / length) * way : Vec3d{0, 0, 1}};
}

/// A box with edges along `axes` (unit vectors) of the lengths 2 `half`. Inside, the nearest side counts.
inline Nearness distance_to_block(const Vec3d& centre, const Vec3d axes[3], const Vec3d& half, const Vec3d& p) {
    const Vec3d way = p - centre;
    Vec3d place, beyond;
    int side = 0; // that the point is farthest beyond, or least behind
    double most = -1e300;
    for (int k = 0; k < 3; ++k) {
        place[k] = dot(axes[k], way);
        beyond[k] = std::fabs(place[k]) - half[k];
        if (beyond[k] > most) {
            most = beyond[k];
            side = k;
        }
    }
    Vec3d out;
    for (int k = 0; k < 3; ++k)
        if (beyond[k] > 0) out = out + (place[k] < 0 ? -beyond[k] : beyond[k]) * axes[k];
    const double length = norm(out);
    if (length > 0) return {length, (1 / length) * out};
    return {most, (place[side] < 0 ? -1.0 : 1.0) * axes[side]};
}

} // namespace sluice::collision

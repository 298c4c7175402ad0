// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/rigid_motion.h"

// Floating bodies: rigid objects that the fluid moves. Backends and checkpoints hold them as plain data.

namespace sluice {

/// What of a floating body does not change during a run. Lengths from the domain's lower corner; in 2-D masses and
/// moments of inertia are per metre of width.
struct Body {
    int mk_bound = 0;
    double mass = 0;                                      ///< kg
    Vec3d centre;                                         ///< of mass, at time 0, m
    Vec3d inertia[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; ///< about the centre, at time 0: rows of the tensor, kg·m²
    Vec3d translates{1, 1, 1}, turns{1, 1, 1};            ///< per axis: 1 if it may, 0 if not
    Vec3d velocity, angular_velocity;                     ///< at time 0, m/s and rad/s
    double released = 0;                                  ///< until then it rests (FtPause), s

    bool operator==(const Body& other) const {
        for (int row = 0; row < 3; ++row)
            if (!(inertia[row] == other.inertia[row])) return false;
        return mk_bound == other.mk_bound && mass == other.mass && centre == other.centre &&
               translates == other.translates && turns == other.turns && velocity == other.velocity &&
               angular_velocity == other.angular_velocity && released == other.released;
    }
};

/// Where a floating body is at one time, and how it moves.
struct BodyState {
    Vec3d centre;                     ///< from the domain's lower corner, m
    Vec3d velocity;                   ///< m/s
    double turning[4] = {1, 0, 0, 0}; ///< since time 0, as a unit quaternion (w, x, y, z)
    Vec3d angular_velocity;           ///< rad/s

    bool operator==(const BodyState& other) const {
        for (int k = 0; k < 4; ++k)
            if (turning[k] != other.turning[k]) return false;
        return centre == other.centre && velocity == other.velocity && angular_velocity == other.angular_velocity;
    }
};

/// A body as it is at time 0.
inline BodyState initial_state(const Body& body) {
    return {body.centre, body.velocity, {1, 0, 0, 0}, body.angular_velocity};
}

/// The motion of a body's points.
SLUICE_HD inline RigidMotion motion_of(const Body& body, const BodyState& state) {
    RigidMotion motion;
    rows_of_turning(state.turning, motion.rotation);
    motion.translation = state.centre - motion.turned(body.centre);
    motion.angular_velocity = state.angular_velocity;
    motion.velocity = state.velocity - cross(state.angular_velocity, state.centre);
    return motion;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/body_series.h"
#include "model/rigid_motion.h"
#include <cmath>
#include <cstdint>

// Floating bodies: rigid objects that the fluid moves. Backends and checkpoints hold them as plain data.

namespace sluice {

/// What keeps bodies out of walls and of one another.
enum class BodyContact {
    none,
    pair_formula, ///< that of fluid and boundary: what comes nearer is compressed, and pushes back
    elastic,      ///< discrete elements: particles are elastic spheres with friction (physics/dem/contact.h)
};

/// What of a floating body does not change during a run. Lengths from the domain's lower corner; in 2-D masses and
/// moments of inertia are per metre of width.
struct Body {
    int mk_bound = 0;
    std::uint32_t first_id = 0, particles = 0;            ///< its particles
    double mass = 0;                                      ///< kg
    Vec3d centre;                                         ///< of mass, at time 0, m
    Vec3d inertia[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; ///< about the centre, at time 0: rows of the tensor, kg·m²
    Vec3d translates{1, 1, 1}, turns{1, 1, 1};            ///< per axis: 1 if it may, 0 if not
    Vec3d velocity, angular_velocity;                     ///< at time 0, m/s and rad/s
    double released = 0;                                  ///< until then it rests (FtPause), s
    SeriesRange imposed_velocity, imposed_turning;        ///< m/s and rad/s, on the axes that they give
    SeriesRange outer_force, outer_moment;                ///< beside what the fluid does, N and N m (2-D: per metre)
    SeriesRange force_factors;                            ///< of what the fluid does, on each axis; none: 1
    int mechanism = -1;                                   ///< of RunSetup::mechanisms; −1: it moves by itself
    bool moored = false;                                  ///< whether lines of RunSetup::moorings end at it
};

/// Where a floating body is at one time, and how it moves.
struct BodyState {
    Vec3d centre;                     ///< from the domain's lower corner, m
    Vec3d velocity;                   ///< m/s
    double turning[4] = {1, 0, 0, 0}; ///< since time 0, as a unit quaternion (w, x, y, z)
    Vec3d angular_velocity;           ///< rad/s
    Vec3d velocity_previous;          ///< at level n−1 (Verlet) or n−½ (staggered), m/s
    /// Staggered steps: with the angular momentum of level n−½, as the body lies at level n, rad/s. No other step
    /// changes it.
    Vec3d angular_velocity_previous;

    bool operator==(const BodyState& other) const {
        for (int k = 0; k < 4; ++k)
            if (turning[k] != other.turning[k]) return false;
        return centre == other.centre && velocity == other.velocity && angular_velocity == other.angular_velocity &&
               velocity_previous == other.velocity_previous &&
               angular_velocity_previous == other.angular_velocity_previous;
    }
};

/// What acts on a body beside its weight.
struct BodyLoad {
    Vec3d force;  ///< N (N/m in 2-D)
    Vec3d moment; ///< about the centre of mass, N m (N in 2-D)
};

SLUICE_HD inline BodyLoad operator+(const BodyLoad& a, const BodyLoad& b) {
    return {a.force + b.force, a.moment + b.moment};
}

/// What acted on a body in the last interaction.
struct BodyLoads {
    BodyLoad fluid;       ///< and contacts by the pair formula
    BodyLoad contact;     ///< of elastic contacts
    double stiffness = 0; ///< of all elastic contacts together, N/m
    BodyLoad mooring{};   ///< of mooring lines, the mean over the step that followed
};

/// A body at one time.
struct BodyReport {
    BodyState state;
    BodyLoads loads;
};

/// A body as it is at time 0.
inline BodyState initial_state(const Body& body) {
    return {body.centre, body.velocity, {1, 0, 0, 0}, body.angular_velocity, body.velocity, body.angular_velocity};
}

/// The angles (rad) by which turns about the fixed axes x, then y, then z bring a body where it is: roll, pitch, yaw.
/// Pitch lies in −π/2 … π/2.
inline Vec3d turning_angles(const BodyState& state) {
    Vec3d r[3];
    rows_of_turning(state.turning, r);
    const double sine = r[2].x < -1 ? 1 : r[2].x > 1 ? -1 : -r[2].x;
    return {std::atan2(r[2].y, r[2].z), std::asin(sine), std::atan2(r[1].x, r[0].x)};
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

/// The same place with the velocities of half a step before: what takes part in the first interaction of a staggered
/// step, as that of the fluid does.
SLUICE_HD inline BodyState lagging(const BodyState& state) {
    BodyState result = state;
    result.velocity = state.velocity_previous;
    result.angular_velocity = state.angular_velocity_previous;
    return result;
}

/// Whether the fluid moves a body at a time (s), or it is held at rest yet.
SLUICE_HD inline bool is_released(const Body& body, double time) { return time >= body.released; }

/// The motion of a body's points at a time (s): none before it is released.
SLUICE_HD inline RigidMotion motion_at(const Body& body, const BodyState& state, double time) {
    RigidMotion motion = motion_of(body, state);
    if (!is_released(body, time)) motion.velocity = motion.angular_velocity = {};
    return motion;
}

/// The velocity that a body has at a place, at a time (s): none before it is released.
SLUICE_HD inline Vec3d velocity_at(const Body& body, const BodyState& state, const Vec3d& place, double time) {
    if (!is_released(body, time)) return {};
    return state.velocity + cross(state.angular_velocity, place - state.centre);
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/forcing.h"
#include "physics/level_step.h"
#include "physics/math.h"

// Accelerations of fluid particles beside those of gravity and of their neighbours, and damping zones.

namespace sluice {
inline namespace SLUICE_ISA {

/// An acceleration input at one time. Without an effect: no ids.
///
/// The case's axes are those of a tank that moves and turns. Its point `centre` has the acceleration A, and it turns at
/// ω_f, both in its own axes. Of what is free of forces the tank sees
///   dv/dt = −A − (dω_f/dt)×r − ω_f×(ω_f×r) − 2ω_f×v
/// with r from the centre and v relative to the tank (Landau & Lifshitz, Mechanics, §39). The input says what the fluid
/// feels: a = −A and α = −dω_f/dt, so that ω = ∫α dt = −ω_f, which has the same components in either frame since
/// ω×ω = 0. The velocity of the centre does not occur: v is relative to the tank.
struct ForcedFrame {
    std::uint32_t first_id = 0, last_id = 0, created_id = UINT32_MAX;
    Vec3d centre, linear, angular, velocity, angular_velocity;
    Rotation rotation = Rotation::of_frame;

    SLUICE_HD bool acts_on(std::uint32_t id) const { return (id >= first_id && id < last_id) || id >= created_id; }
    /// a + α×r − ω×(ω×r) + 2ω×v, m/s².
    SLUICE_HD Vec3d acceleration(const Vec3d& position, const Vec3d& v) const {
        const Vec3d r = position - centre, &w = angular_velocity;
        if (rotation == Rotation::of_reference) return reference_acceleration(r, v);
        return linear + cross(angular, r) - cross(w, cross(w, r)) + 2.0 * cross(w, v);
    }

private:
    /// As DualSPHysics 5.4 has it: a, and while α is not zero α×r + ω×(ω×r) + 2ω×v as well as twice the second halves
    /// of the components of −ω×V, V being the integral of a.
    SLUICE_HD Vec3d reference_acceleration(const Vec3d& r, const Vec3d& v) const {
        if (angular == Vec3d{}) return linear;
        const Vec3d &w = angular_velocity, &V = velocity;
        return linear + cross(angular, r) + cross(w, cross(w, r)) + 2.0 * cross(w, v) +
               2.0 * Vec3d{w.z * V.y, w.x * V.z, w.y * V.x};
    }
};

/// The input at `time`, s. The last of its accelerations lasts on, the first counts for all earlier times.
SLUICE_HD inline ForcedFrame frame_at(const AccelerationInput& input, const AccelerationSample* samples, double time) {
    ForcedFrame frame;
    if (!(time >= input.start && time < input.end)) return frame;
    const AccelerationSample* s = samples + input.first_sample;
    const int last = input.sample_count - 1;
    int i = 0;
    while (i < last && s[i + 1].time <= time) ++i;
    const double since = time - s[i].time, span = i < last ? s[i + 1].time - s[i].time : 1;
    const double share = i < last && since > 0 ? since / span : 0;
    const AccelerationSample& next = s[i < last ? i + 1 : i];
    frame.first_id = input.first_id;
    frame.last_id = input.last_id;
    frame.created_id = input.created_id;
    frame.centre = input.centre;
    const Vec3d linear = s[i].linear + share * (next.linear - s[i].linear);
    frame.angular = s[i].angular + share * (next.angular - s[i].angular);
    frame.rotation = input.rotation;
    if (input.rotation == Rotation::of_reference) { // which has them linear, and constant beyond the ends
        frame.velocity = s[i].velocity + share * (next.velocity - s[i].velocity);
        frame.angular_velocity = s[i].angular_velocity + share * (next.angular_velocity - s[i].angular_velocity);
    } else {
        frame.velocity = s[i].velocity + (0.5 * since) * (s[i].linear + linear);
        frame.angular_velocity = s[i].angular_velocity + (0.5 * since) * (s[i].angular + frame.angular);
    }
    frame.linear = linear + input.constant;
    return frame;
}

namespace forcing {

/// How far into the zone a position is: 0 at the inner limit and inside of it, 1 from the outer limit on, and 0 again
/// from `over_limit` beyond it on.
SLUICE_HD inline double depth_into(double inside, double length, double over_limit) {
    if (inside <= 0 || inside > length + over_limit) return 0;
    return inside < length ? inside / length : 1;
}

SLUICE_HD inline bool in_domain(const DampingZone& zone, const Vec3d& p) {
    if (p.z < zone.z_min || p.z > zone.z_max) return false;
    int left = 0, right = 0;
    for (int i = 0; i < 4; ++i) {
        const Vec3d &a = zone.corner[i], &b = zone.corner[(i + 1) % 4];
        const double side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
        left += side >= 0;
        right += side <= 0;
    }
    return left == 4 || right == 4;
}

SLUICE_HD inline double plane_depth(const DampingZone& zone, const Vec3d& p) {
    if (zone.has_domain && !in_domain(zone, p)) return 0;
    const Vec3d across = zone.outer_min - zone.inner_min;
    const double length = sqrt(dot(across, across));
    return depth_into(dot(p - zone.inner_min, across) / length, length, zone.over_limit);
}

/// The greatest depth of the six faces; nothing beyond `over_limit` outside of the outer box.
SLUICE_HD inline double box_depth(const DampingZone& zone, const Vec3d& p) {
    double deepest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double below = zone.inner_min[axis] - p[axis], above = p[axis] - zone.inner_max[axis];
        const double to_min = zone.inner_min[axis] - zone.outer_min[axis],
                     to_max = zone.outer_max[axis] - zone.inner_max[axis];
        if (below > to_min + zone.over_limit || above > to_max + zone.over_limit) return 0;
        const double depth = zone.active[2 * axis] && below > 0       ? depth_into(below, to_min, zone.over_limit)
                             : zone.active[2 * axis + 1] && above > 0 ? depth_into(above, to_max, zone.over_limit)
                                                                      : 0;
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest;
}

SLUICE_HD inline double cylinder_depth(const DampingZone& zone, const Vec3d& p) {
    const Vec3d r = p - zone.axis_point, off = r - dot(r, zone.axis) * zone.axis;
    return depth_into(sqrt(dot(off, off)) - zone.inner_radius, zone.outer_radius - zone.inner_radius, zone.over_limit);
}

} // namespace forcing

/// The rate β s² at which velocities decay in a damping zone, dv/dt = −β s² v: β is the zone's, and s goes from 0 at
/// the inner limit to 1 at the outer one (Altomare et al. 2017). Each component has its factor beside. 1/s.
SLUICE_HD inline double damping_rate(const DampingZone& zone, const Vec3d& position) {
    const double s = zone.shape == DampingZone::Shape::plane ? forcing::plane_depth(zone, position)
                     : zone.shape == DampingZone::Shape::box ? forcing::box_depth(zone, position)
                                                             : forcing::cylinder_depth(zone, position);
    return zone.rate * s * s;
}

/// What a zone leaves of `v` at the end of a step: v exp(−β s² τ), τ being the time that the velocity has been brought
/// forward over. The solution itself, and not a rate for the integrator: it is exact for steps of any length, and
/// Verlet's leaps would let a decay grow that they take at their middle.
SLUICE_HD inline Vec3d damped(const DampingZone& zone, const Vec3d& position, const Vec3d& v, const LevelStep& step) {
    const double rate = damping_rate(zone, position);
    if (rate == 0) return v;
    Vec3d left;
    for (int axis = 0; axis < 3; ++axis) left[axis] = v[axis] * exp(-rate * zone.factor[axis] * step.span());
    return left;
}

/// What the inputs as they are now do to fluid particle `id`, m/s².
SLUICE_HD inline Vec3d forced_acceleration(const ForcedFrame* frames, int frame_count, std::uint32_t id,
                                           const Vec3d& position, const Vec3d& v) {
    Vec3d sum;
    for (int i = 0; i < frame_count; ++i)
        if (frames[i].acts_on(id)) sum = sum + frames[i].acceleration(position, v);
    return sum;
}

} // namespace SLUICE_ISA
} // namespace sluice

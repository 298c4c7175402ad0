// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/motion_data.h"
#include "model/rigid_motion.h"
#include <cmath>

namespace sluice {

namespace motion {

/// `v` turned about the unit vector `axis` by `angle`, rad, right-handed (Rodrigues' formula).
SLUICE_HD inline Vec3d turned_about(const Vec3d& axis, double angle, const Vec3d& v) {
    const double c = std::cos(angle), s = std::sin(angle);
    return c * v + s * cross(axis, v) + ((1 - c) * dot(axis, v)) * axis;
}

/// The place after a turn by `angle`, rad, about an axis through `point`.
SLUICE_HD inline RigidMotion turn_about(const Vec3d& point, const Vec3d& axis, double angle) {
    RigidMotion turn;
    for (int column = 0; column < 3; ++column) {
        Vec3d unit;
        unit[column] = 1;
        const Vec3d to = turned_about(axis, angle, unit);
        for (int row = 0; row < 3; ++row) turn.rotation[row][column] = to[row];
    }
    turn.translation = point - turn.turned(point);
    return turn;
}

/// The last of `count` ascending entries whose `time` is not after `t`; the first where there is none.
template <class Entry>
SLUICE_HD inline int last_not_after(const Entry* entries, int count, double Entry::*time, double t) {
    int low = 0, high = count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (entries[middle].*time <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/// The value of a law and its derivative, `time` s after the start of the piece: m and m/s, rad and rad/s.
struct LawValue {
    Vec3d value, rate;
};

SLUICE_HD inline LawValue sinusoid(const MotionPiece& piece, double time) {
    LawValue result;
    SLUICE_ROLLED
    for (int a = 0; a < 3; ++a) {
        if (piece.amplitude[a] == 0) continue;
        const double angle = piece.phase[a] + piece.frequency[a] * time;
        result.value[a] = piece.amplitude[a] * (std::sin(angle) - std::sin(piece.phase[a]));
        result.rate[a] = piece.amplitude[a] * piece.frequency[a] * std::cos(angle);
    }
    return result;
}

SLUICE_HD inline LawValue series(const MotionSample* samples, int count, double time) {
    const int i = last_not_after(samples, count, &MotionSample::time, time);
    if (i == count - 1 || time < samples[0].time) return {samples[i].value, {}};
    const Vec3d slope = (1 / (samples[i + 1].time - samples[i].time)) * (samples[i + 1].value - samples[i].value);
    return {samples[i].value + (time - samples[i].time) * slope, slope};
}

/// Cubic Hermite interpolation at the fraction `s` of a step between values a and b with slopes per step da and db.
SLUICE_HD inline double hermite(double s, double a, double da, double b, double db) {
    const double r = 1 - s;
    return r * r * ((1 + 2 * s) * a + s * da) + s * s * ((1 + 2 * r) * b - r * db);
}

/// Its derivative by `s`.
SLUICE_HD inline double hermite_slope(double s, double a, double da, double b, double db) {
    const double r = 1 - s;
    return 6 * s * r * (b - a) + r * (1 - 3 * s) * da + s * (3 * s - 2) * db;
}

/// Samples at the times 0, T, 2T, …; with samples of a smooth function f the value is off by less than T⁴·max|f⁗|/384.
SLUICE_HD inline LawValue smooth_series(const MotionSample* samples, int count, double time) {
    const double step = samples[1].time, since = time / step;
    if (since < 0) return {samples[0].value, {}};
    if (since >= count - 1) return {samples[count - 1].value, {}};
    const int i = static_cast<int>(since);
    const MotionSample &a = samples[i], &b = samples[i + 1];
    LawValue result;
    for (int k = 0; k < 3; ++k) {
        const double da = step * a.rate[k], db = step * b.rate[k];
        result.value[k] = hermite(since - i, a.value[k], da, b.value[k], db);
        result.rate[k] = hermite_slope(since - i, a.value[k], da, b.value[k], db) / step;
    }
    return result;
}

SLUICE_HD inline LawValue law_value(const MotionView& view, const MotionPiece& piece, double time) {
    switch (piece.law) {
    case MotionLaw::sinusoid: return sinusoid(piece, time);
    case MotionLaw::series: return series(view.samples + piece.first_sample, piece.sample_count, time);
    case MotionLaw::smooth: return smooth_series(view.samples + piece.first_sample, piece.sample_count, time);
    case MotionLaw::accelerated: break;
    }
    return {time * piece.rate + (0.5 * time * time) * piece.acceleration, piece.rate + time * piece.acceleration};
}

/// What one piece adds at a time: a displacement (of a translation or a circle) or an angle (of a rotation), and its
/// share of the velocity field, given by the velocity at the pivot and the angular velocity.
struct Share {
    Vec3d displacement;
    double angle = 0;
    Vec3d velocity, angular_velocity;
};

SLUICE_HD inline Share share_of(const MotionView& view, const MotionPiece& piece, double time) {
    const LawValue law = law_value(view, piece, time - piece.start);
    Share share;
    if (piece.kind == MotionKind::translation) {
        share.displacement = law.value;
        share.velocity = law.rate;
    } else if (piece.kind == MotionKind::rotation) {
        share.angle = law.value.x;
        share.angular_velocity = law.rate.x * piece.axis;
        share.velocity = cross(piece.axis_point, share.angular_velocity);
    } else {
        const Vec3d arm = turned_about(piece.axis, law.value.x, piece.arm);
        share.displacement = arm - piece.arm;
        share.velocity = law.rate.x * cross(piece.axis, arm);
    }
    return share;
}

/// All pieces of a segment together.
SLUICE_HD inline Share share_of(const MotionView& view, const MotionSegment& segment, double time) {
    Share sum;
    for (int i = 0; i < segment.piece_count; ++i) {
        const Share share = share_of(view, view.pieces[segment.first_piece + i], time);
        sum.displacement = sum.displacement + share.displacement;
        sum.angle += share.angle;
        sum.velocity = sum.velocity + share.velocity;
        sum.angular_velocity = sum.angular_velocity + share.angular_velocity;
    }
    return sum;
}

/// How the numbers of a knot change in time where the velocity field is that of `share`.
SLUICE_HD inline MotionKnot rate_of(const MotionKnot& knot, const Share& share) {
    const double w = knot.turning[0];
    const Vec3d v{knot.turning[1], knot.turning[2], knot.turning[3]}, &omega = share.angular_velocity;
    const Vec3d turning = 0.5 * (w * omega + cross(omega, v));
    return {{-0.5 * dot(omega, v), turning.x, turning.y, turning.z}, share.velocity + cross(omega, knot.translation)};
}

/// Place between two knots. The velocity field is known exactly at both, and with it the slopes.
SLUICE_HD inline void place_between_knots(const MotionView& view, const MotionSegment& segment, double time,
                                          RigidMotion& m) {
    const double step = segment.knot_step, since = (time - segment.start) / step;
    int i = static_cast<int>(since < 0 ? 0 : since);
    if (i > segment.knot_count - 2) i = segment.knot_count - 2;
    const double s = since - i;
    const MotionKnot& a = view.knots[segment.first_knot + i];
    const MotionKnot& b = view.knots[segment.first_knot + i + 1];
    const MotionKnot da = rate_of(a, share_of(view, segment, segment.start + i * step));
    const MotionKnot db = rate_of(b, share_of(view, segment, segment.start + (i + 1) * step));
    double q[4], norm = 0;
    for (int k = 0; k < 4; ++k) {
        q[k] = hermite(s, a.turning[k], step * da.turning[k], b.turning[k], step * db.turning[k]);
        norm += q[k] * q[k];
    }
    for (double& component : q) component /= std::sqrt(norm);
    rows_of_turning(q, m.rotation);
    for (int k = 0; k < 3; ++k)
        m.translation[k] =
            hermite(s, a.translation[k], step * da.translation[k], b.translation[k], step * db.translation[k]);
}

/// The motion of an object as its surroundings see it, with places relative to its pivot.
SLUICE_HD inline RigidMotion about_pivot(const MotionView& view, const MotionSegment& segment, double time) {
    const Share share = share_of(view, segment, time);
    RigidMotion m;
    m.velocity = share.velocity;
    m.angular_velocity = share.angular_velocity;
    if (segment.path == MotionPath::knots) {
        place_between_knots(view, segment, time, m);
        return m;
    }
    for (int row = 0; row < 3; ++row) m.rotation[row] = segment.rotation[row];
    m.translation = segment.translation + share.displacement;
    if (segment.path == MotionPath::rotation) {
        const MotionPiece& first = view.pieces[segment.first_piece];
        m = composed(turn_about(first.axis_point, first.axis, share.angle), m);
        m.velocity = share.velocity;
        m.angular_velocity = share.angular_velocity;
    }
    return m;
}

} // namespace motion

/// Where object `index` is at `time`, s, and how it moves; places are measured from the origin of the data. The result
/// depends on nothing but its arguments, to which the states of pistons that absorb waves belong. The place is exact
/// but for rounding; where a rotation and another motion of the same object overlap it is off by less than 1e-9 of the
/// lengths of the case (cubic interpolation of a finely resolved solution). The velocity is the exact field in all
/// cases; at a corner of the motion it is that of what follows.
SLUICE_HD inline RigidMotion motion_at(const MotionView& view, int index, double time) {
    RigidMotion result;
    for (int i = index; i >= 0; i = view.objects[i].parent) {
        const MovingObject& object = view.objects[i];
        const MotionSegment* segments = view.segments + object.first_segment;
        const int s = motion::last_not_after(segments, object.segment_count, &MotionSegment::start, time);
        RigidMotion own = motion::about_pivot(view, segments[s], time);
        own.translation = own.translation + (object.pivot - own.turned(object.pivot));
        own.velocity = own.velocity - cross(own.angular_velocity, object.pivot);
        if (view.absorbers && object.absorber >= 0) {
            own.translation.x += view.absorbers[object.absorber].offset_at(time);
            own.velocity.x += view.absorbers[object.absorber].velocity;
        }
        result = i == index ? own : composed(own, result);
    }
    return result;
}

} // namespace sluice

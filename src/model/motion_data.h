// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/wave_absorption.h"
#include <vector>

// Prescribed motion as plain data, which a backend may copy to a device: everything that depends on what happened
// before (where a piece begins, loops, pieces that overlap) has been worked out when the data were made, so a place at
// any time is found without a state: model/motion.h.

namespace sluice {

/// What a piece does to the object that it moves.
enum class MotionKind : int {
    translation, ///< along a displacement
    rotation,    ///< about an axis that stands in the object's surroundings
    circling,    ///< along the arc of a point about an axis, without turning
};

/// How the displacement or the angle of a piece runs with the time since its start, from zero.
enum class MotionLaw : int {
    accelerated, ///< rate·τ + acceleration·τ²/2
    sinusoid,    ///< amplitude·(sin(phase + frequency·τ) − sin(phase))
    series,      ///< linear between samples, held after the last
    smooth,      ///< cubic between equally spaced samples of value and rate, held after the last
};

/// One sample of a series, the first of which is at time 0 and value 0.
struct MotionSample {
    double time = 0; ///< s since the start of the piece
    Vec3d value;     ///< m; an angle is in x, rad
    Vec3d rate;      ///< smooth series: its derivative, m/s or rad/s

    bool operator==(const MotionSample&) const = default;
};

/// One motion with a law in closed form. Places are relative to the pivot of the object; of a rotation or a circle the
/// angle is in the component x of every vector of the law, rad, right-handed.
struct MotionPiece {
    MotionKind kind = MotionKind::translation;
    MotionLaw law = MotionLaw::accelerated;
    double start = 0;                  ///< s
    Vec3d axis_point, axis{0, 0, 1};   ///< a point of the axis, m, and its direction, a unit vector
    Vec3d arm;                         ///< circling: from the axis to the point whose arc is followed, at angle zero, m
    Vec3d rate, acceleration;          ///< m/s and m/s², rad/s and rad/s²
    Vec3d amplitude, frequency, phase; ///< m or rad, rad/s, rad
    int first_sample = 0, sample_count = 0;

    bool operator==(const MotionPiece&) const = default;
};

/// How the place of an object follows from the pieces of a segment.
enum class MotionPath : int {
    translations, ///< translations and circles, which add
    rotation,     ///< rotations about one axis, whose angles add
    knots,        ///< a rotation together with something else: interpolated between knots
};

/// A time during which the same pieces move an object.
struct MotionSegment {
    double start = 0; ///< s; it lasts to the start of the next one, the last for ever
    MotionPath path = MotionPath::translations;
    int first_piece = 0, piece_count = 0;
    Vec3d rotation[3] = {
        {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}; ///< where the laws of the pieces are zero: rows of the matrix,
    Vec3d translation;                    ///< and the displacement, m
    int first_knot = 0, knot_count = 0;
    double knot_step = 0; ///< s between two knots, the first at the start

    bool operator==(const MotionSegment&) const = default;
};

/// Where an object is at one time: its turning as a unit quaternion (w, x, y, z), and the place of its pivot.
struct MotionKnot {
    double turning[4] = {1, 0, 0, 0};
    Vec3d translation; ///< m, relative to the pivot

    bool operator==(const MotionKnot&) const = default;
};

/// One object of the motion: its segments by ascending start, the first of which counts for all earlier times too.
struct MovingObject {
    Vec3d pivot;     ///< the place that the data of the object are relative to, m
    int parent = -1; ///< index of the object that carries this one, smaller than its own; -1: none
    int first_segment = 0, segment_count = 0;
    int absorber = -1; ///< of RunSetup::absorbers; -1: none

    bool operator==(const MovingObject&) const = default;
};

/// The data of `Motions` by pointers, on the host or on a device.
struct MotionView {
    const MovingObject* objects = nullptr;
    const MotionSegment* segments = nullptr;
    const MotionPiece* pieces = nullptr;
    const MotionKnot* knots = nullptr;
    const MotionSample* samples = nullptr;
    int object_count = 0;
    const AbsorberState* absorbers = nullptr; ///< of RunSetup::absorbers; null: nothing is absorbed
};

/// All prescribed motion of a run.
struct Motions {
    std::vector<MovingObject> objects;
    std::vector<MotionSegment> segments;
    std::vector<MotionPiece> pieces;
    std::vector<MotionKnot> knots;
    std::vector<MotionSample> samples;

    int object_count() const { return static_cast<int>(objects.size()); }
    MotionView view() const {
        return {objects.data(), segments.data(), pieces.data(), knots.data(), samples.data(), object_count()};
    }
    bool operator==(const Motions&) const = default;
};

/// The same motion with places measured from `origin`, m, instead of from where they were measured so far.
inline Motions relative_to(Motions motions, const Vec3d& origin) {
    for (MovingObject& object : motions.objects) object.pivot = object.pivot - origin;
    return motions;
}

} // namespace sluice

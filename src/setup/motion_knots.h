// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/motion_data.h"
#include "model/rigid_motion.h"

namespace sluice {

/// Where the knots of a segment are interpolated, they are off by less than this: the turning as a quaternion, places
/// in m or in the largest distance from the pivot.
constexpr double motion_knot_error = 1e-10;

/// Solves for the place of an object whose velocity is the sum of the fields of a segment's pieces, from `place` at the
/// start of the segment to `end`, s, and adds knots so close that the interpolation between them keeps the error above.
/// Places are relative to the pivot. Throws InputError where that takes too many.
void add_motion_knots(Motions& motions, MotionSegment& segment, const RigidMotion& place, double end);

} // namespace sluice

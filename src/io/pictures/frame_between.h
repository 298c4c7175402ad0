// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/frame.h"
#include "model/run_setup.h"

namespace sluice {

/// A frame between two stored ones, after the part `part` of the time from `a` to `b`, for slow films. It is no result
/// of the run. Fluid particles follow the cubic through the places and along the velocities of both (if they have
/// them); those of the boundary, and values, go in a straight line. A particle that only one frame has, or that crosses
/// a periodic side, is where the nearer frame has it.
Frame frame_between(const Frame& a, const Frame& b, double part, const RunSetup& setup);

} // namespace sluice

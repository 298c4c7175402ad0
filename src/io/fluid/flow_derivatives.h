// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/fields.h"
#include "model/run_setup.h"

namespace sluice {

/// The derivatives of the flow at its particles (FieldSource::least_squares): gradients of the pressure and of the
/// components of the velocity, by the least squares of LSMPS (Tamai & Koshizuka 2014; `mps::Lsmps` over a sphere of
/// radius 2h) over the fluid alone, with what is seen across periodic sides. They are exact for values that are linear
/// in space, at walls and free surfaces, too. NaN: a particle of the boundary, or one whose neighbours lie within a
/// hundredth or so of a spacing of one plane (in 2-D of one line). Adds those of `wanted` to the frame, which has
/// velocities and pressures. The number of threads does not change them.
void add_flow_derivatives(Frame& frame, const RunSetup& setup, const FieldSelection& wanted, int threads);

/// A frame that holds the same arrays, and nothing else.
Frame flow_derivatives(const Frame& frame, const RunSetup& setup, const FieldSelection& wanted, int threads);

} // namespace sluice

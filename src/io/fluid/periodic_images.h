// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/frame.h"
#include "model/run_setup.h"

namespace sluice {

/// What looks at the fluid of a periodic run sees across the periodic sides: adds to a frame the images of its fluid
/// particles within `reach` (m, no more than any period) of the domain, with all their fields, behind the others. The
/// images have their particles' ids. Does nothing without periodic sides.
void add_fluid_images(Frame& frame, const RunSetup& setup, double reach);

} // namespace sluice

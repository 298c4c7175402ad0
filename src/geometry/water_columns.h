// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/canvas.h"
#include "geometry/particle_set.h"

namespace sluice {

/// Sets `depth` and `still_water_depth` of a set whose particles stand where they were drawn.
///
/// Along an axis that gravity points along, every run of fluid nodes without a gap has a surface of its own: its
/// highest node, or the solid node just above it, or the top of the floating bodies that it carries. The still water
/// depth is the greatest depth of a fluid node below the surface of its run. Along no axis, depths count from the
/// highest corner of the fluid's extent, and the still water depth is |(ĝx·ex, ĝy·ey, ĝz·ez)| with the extent e.
void measure_water(const Case& the_case, const Canvas& canvas, ParticleSet& set);

} // namespace sluice

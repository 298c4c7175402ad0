// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"

namespace sluice {

/// What often goes wrong in a case and can be seen from its particles: fluid at the edge of the domain, walls thinner
/// than the reach of the kernel, moving or floating mk without particles. Adds warnings with advice; never throws for
/// a case that was read. `h` is the smoothing length, m.
void lint_particles(const Case& the_case, const ParticleSet& set, double h, std::vector<Diagnostic>& diagnostics);

} // namespace sluice

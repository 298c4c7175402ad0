// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include <vector>

namespace sluice {

/// Draws the case on its lattice and collects the particles. Adds warnings (a shape that draws nothing, say) to
/// `diagnostics`; throws InputError if there is nothing to simulate.
ParticleSet generate_particles(const Case& the_case, std::vector<Diagnostic>& diagnostics);

/// Whether a run of the case has nothing to compute: neither fluid, nor zones that let some in, nor bodies in elastic
/// contact.
bool has_nothing_to_compute(const Case& the_case, const ParticleSet& particles);

} // namespace sluice

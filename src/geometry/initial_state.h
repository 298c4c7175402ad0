// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"

namespace sluice {

/// casedef/initials: displaces particles and gives them their first velocity. Warns of mk without particles.
void apply_initial_states(const Case& the_case, ParticleSet& set, std::vector<Diagnostic>& diagnostics);

} // namespace sluice

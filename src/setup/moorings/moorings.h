// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/run_setup.h"
#include <vector>

namespace sluice {

/// The lines of special/moorings, laid to rest between their ends, with the step that they bear. After the bodies.
/// InputError for a line of a body without particles, or where gravity is not along z.
void add_moorings(const Case& definition, RunSetup& setup);

/// Tells of lines that are taut or not at rest at the start, of ends below the bottom, of water that is elsewhere than
/// the lines are told, and how many sub-steps lines take.
void lint_moorings(const Case& definition, const ParticleSet& particles, const RunSetup& setup,
                   std::vector<Diagnostic>& diagnostics);

} // namespace sluice

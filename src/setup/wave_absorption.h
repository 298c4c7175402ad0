// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/run_setup.h"

namespace sluice {

/// Adds the pistons of a case that absorb waves to its run, whose motions, domain and constants are there. Throws
/// InputError at the place of one whose gauge is not in the domain.
void add_absorbers(const Case& definition, const ParticleSet& particles, RunSetup& setup);

/// Warns of pistons whose gauge is so far away that they are not tuned to their waves.
void lint_absorbers(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/run_setup.h"
#include <vector>

namespace sluice {

/// The flexible structures of special/flexstrucs; after the groups and the domain. Their particles are dynamic boundary
/// particles, whatever the others are. InputError for a body or a clamp without particles, and for a body so thin that
/// its strains cannot be computed.
void add_flexible_bodies(const Case& definition, const ParticleSet& particles, RunSetup& setup);

/// Tells of each flexible body how many layers it has, the speed of its waves and into how many sub-steps it divides a
/// step; warns of few layers.
void lint_flexible_bodies(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics);

} // namespace sluice

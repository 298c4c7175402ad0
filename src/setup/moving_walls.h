// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/motion_data.h"
#include "model/run_setup.h"
#include <vector>

namespace sluice {

/// A domain that holds the walls wherever their prescribed motion takes them until TimeMax, on the sides that the case
/// leaves to the default; the others, and a domain that holds them already, stay as they are. Looks at a thousand times
/// and leaves room for what a wall may do in between; a way that no grid of cells could span is left to end the run.
/// `motions`: in absolute places.
Domain with_motions(const Domain& domain, const Case& definition, const ParticleSet& particles, const Motions& motions);

/// Warns of walls that leave the domain by their prescribed motion before the run ends, with the time: a run stops
/// there. Looks at a thousand times, so that a short way out and back may be missed.
void lint_moving_walls(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/run_setup.h"

namespace sluice {

/// Adds the floating bodies of a case and their series to a run, in the order of their particles: mass, centre and
/// tensor of inertia as given, or of the particles, each of which stands for a cube (2-D: a square) of its spacing.
/// `setup`: constants, domain and groups are there. Throws InputError for a body without mass, or whose inertia is none
/// that a body can have.
void add_bodies(const Case& definition, const ParticleSet& particles, RunSetup& setup);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/run_setup.h"

namespace sluice {

/// The groups of the particles with their masses, and what each fluid group is made of where fluids differ: its
/// density, speed of sound, gamma and viscosity, and its rheology. The constants take what several fluids ask for.
/// InputError for a fluid of which the case does not say it.
void set_fluids(const Case& definition, const ParticleSet& particles, RunSetup& setup);

/// Gives the fluid particles of `state` the relative densities of layers at rest: each fluid is one layer up to its
/// highest particle, and above it are those that reach higher. Nothing without gravity.
void set_layered_densities(const ParticleSet& particles, const RunSetup& setup, std::vector<float>& density);

/// For the log and `check`: that surface tension limits the time steps, where it does so before sound, and where it is
/// known to be too small. Of the run's fluids any two are taken to touch.
std::vector<Diagnostic> fluid_notes(const Case& definition, const RunSetup& setup);

} // namespace sluice

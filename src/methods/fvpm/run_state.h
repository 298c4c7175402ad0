// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/particles.h"
#include "model/fvpm_constants.h"
#include "model/particle_state.h"
#include "model/run_setup.h"

namespace sluice::fvpm {

/// The constants of a run of a case.
FvpmConstants constants_of(const RunSetup& setup);

/// The particles of a state, in its order: with the masses, volumes and velocities of its section, or else with those
/// of a beginning. Then volumes are exact (volumes.h) and a mass is density times volume, of which dp^d counts at most:
/// what reaches beyond that at a free surface is air. Throws RunError for a section that is damaged.
Particles particles_of(const ParticleState& state, const RunSetup& setup);

/// The state's arrays and section for the particles, in their order. `height` is y in 2-D, where particles have 0, m.
void store_particles(const Particles& particles, const RunSetup& setup, double height, ParticleState& state);

/// The density of the fluid in a particle, kg/m³: where its volume reaches into the air, that at rest.
double inner_density(double mass, double volume, const FvpmConstants& constants);

} // namespace sluice::fvpm

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/flow/flow.h"
#include "model/particle_state.h"

namespace sluice::mps {

/// The particles of a state, by ascending id: with the velocities and densities of its section, or else with its own.
/// Throws RunError for a section that is damaged.
FlowParticles particles_of(const ParticleState& state);

/// Arrays and section of a state for the particles of a flow; walls have the densities of their pressures.
void store_particles(Flow& flow, const sph::Constants& constants, ParticleState& state);

} // namespace sluice::mps

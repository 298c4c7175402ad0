// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/particle_state.h"
#include "ranks/message.h"

namespace sluice {

/// Everything in a state but the particles and what only its backend understands.
void put_scalars(MessageWriter& message, const ParticleState& state);
void get_scalars(MessageReader& message, ParticleState& state);

/// Particles of a state from `begin` to `end`, and back, behind those that are there.
void put_particles(MessageWriter& message, const ParticleState& state, std::size_t begin, std::size_t end);
void get_particles(MessageReader& message, ParticleState& state);

/// All of a state, and what only its backend understands.
void put_state(MessageWriter& message, const ParticleState& state);
ParticleState get_state(MessageReader& message);

} // namespace sluice

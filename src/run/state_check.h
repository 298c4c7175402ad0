// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/particle_state.h"
#include "model/run_setup.h"

namespace sluice {

/// Throws RunError that says what is wrong unless `state` can be a state of the run: arrays of one length, every
/// boundary particle once and each fluid particle at most once, finite numbers, positions in the domain. A checkpoint
/// comes from a disk, and perhaps from a stranger.
void require_state_of(const ParticleState& state, const RunSetup& setup);

} // namespace sluice

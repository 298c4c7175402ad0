// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/particle_state.h"
#include "model/run_setup.h"
#include <string>

namespace sluice {

/// What the bodies that have left the domain went through: the walls at rest that lie within a particle spacing of the
/// line from where the first of its particles outside began to where it is, how deep it is in them yet, and what speed
/// contacts stop. Sentences to put behind the message of a run that ends so; empty if there is no such wall.
std::string way_out(const RunSetup& setup, const ParticleState& state);

} // namespace sluice

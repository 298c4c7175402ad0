// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"

namespace sluice {

/// Some of the particles of a run, as a run of their own in the same domain.
struct RunPart {
    RunSetup setup;
    ParticleState state;
};

/// A slab in the middle of the fluid, across the longest side of the domain, of about `most` particles: enough to
/// estimate what a step of all of them costs. `state`: of the whole run, in the order of the ids; the part has ids of
/// its own.
RunPart middle_slab(const RunSetup& setup, const ParticleState& state, std::uint32_t most);

} // namespace sluice

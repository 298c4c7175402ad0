// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"

namespace sluice {

/// casedef/initials: displaces particles and gives them their first velocity. Warns of mk without particles.
void apply_initial_states(const Case& the_case, ParticleSet& set, std::vector<Diagnostic>& diagnostics);

/// The block of an mk that an initial state names, or null.
const ParticleBlock* block_of(const InitialState& state, int mk, const ParticleSet& set);

/// Calls visit(id) for the particles that an initial state means.
template <class Visit>
void for_particles_of(const InitialState& state, const ParticleSet& set, Visit&& visit) {
    for (int mk : state.mk)
        if (const ParticleBlock* block = block_of(state, mk, set))
            for (std::uint32_t n = block->begin; n < block->begin + block->count; ++n)
                if (state.only.hold(set.position[n])) visit(n);
}

} // namespace sluice

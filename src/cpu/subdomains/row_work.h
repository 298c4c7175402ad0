// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/interaction.h"
#include "cpu/particles/particles.h"
#include "model/particle_state.h"
#include "ranks/transport.h"
#include <cstdint>
#include <vector>

namespace sluice::cpu {

/// Comparisons of particles that each row that is walked asks for: its fluid with all that is in reach, its boundary
/// with the fluid. Every particle counts one more, for the rest of the step. 0 of rows that are not this rank's.
std::vector<std::uint64_t> work_of_rows(const InteractionView& view);

/// What each row of the whole grid asks for about, of particles in any order: what there is to know before they are
/// sorted.
template <class IsFluid>
std::vector<std::uint64_t> rough_work(const ParticleState& state, const Space& space, const IsFluid& is_fluid) {
    std::vector<std::uint64_t> work(space.row_count());
    for (std::size_t i = 0; i < state.size(); ++i)
        if (space.contains(state.position[i]))
            work[space.row_of(space.key(state.position[i]))] += is_fluid(state.id[i]) ? 4 : 1;
    return work;
}

/// The work of all rows of the whole grid, on all ranks: the sum of what each knows, of its rows from `first` on.
std::vector<std::uint64_t> all_work(Transport& transport, std::uint32_t rows, std::uint32_t first,
                                    const std::vector<std::uint64_t>& work);

} // namespace sluice::cpu

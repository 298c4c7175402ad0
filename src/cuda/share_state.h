// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/grid_period.h"
#include "cuda/shares.h"
#include "model/particle_groups.h"
#include "model/particle_state.h"

// How a state is dealt out to the devices that share a run. Host only.

namespace sluice::cuda {

/// A state, cut up.
struct DealtState {
    /// As they are dealt out: with what each sees where neighbour lists go on as they are, else in whole rows which one
    /// device alone has; the first exchange brings the rest then.
    std::vector<Share> shares;
    std::vector<Share> sighted; ///< as an exchange would cut the same particles: how much they will hold
    bool lists_go_on = false;
    /// By share: the fluid that it holds, as indices into the state, in its order; Control::nobody for vacated places.
    std::vector<std::vector<std::uint32_t>> fluid;
    std::vector<std::uint32_t> boundary; ///< indices into the state
};

/// What the devices must know of a run to deal out its states.
struct DealRules {
    FixedGrid grid;
    GridPeriod period;
    std::uint32_t reach_rows = 0;
    bool has_lists = false;
    float widest_skin = 0; ///< of lists that can go on, m
};

DealtState deal_out(const ParticleState& state, const ParticleGroups& groups, const DealRules& rules,
                    const std::vector<double>& parts);

/// The part of a state for one share: all boundary particles, and the fluid that it holds.
ParticleState part_of(const ParticleState& state, const DealtState& dealt, std::size_t share);

} // namespace sluice::cuda

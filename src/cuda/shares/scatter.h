// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/grid_period.h"
#include "cuda/shares/shares.h"
#include "model/particle_groups.h"
#include "model/particle_state.h"

// How a state is scattered to the devices that share a run. Host only.

namespace sluice::cuda {

/// A state, cut up.
struct ScatteredState {
    /// The shares as scattered: with halos where neighbour lists continue; else in whole rows without halos, which the
    /// first exchange then sends.
    std::vector<Share> shares;
    std::vector<Share> sighted; ///< as an exchange would cut the same particles: how much they will hold
    bool lists_go_on = false;
    /// By share: the fluid that it holds, as indices into the state, in its order; Control::no_particle for places of
    /// particles that left.
    std::vector<std::vector<std::uint32_t>> fluid;
    std::vector<std::uint32_t> boundary; ///< indices into the state
};

/// What scattering the states of a run depends on.
struct ScatterRules {
    FixedGrid grid;
    GridPeriod period;
    std::uint32_t reach_rows = 0;
    bool has_lists = false;
    float widest_skin = 0; ///< of lists that can go on, m
};

ScatteredState scatter(const ParticleState& state, const ParticleGroups& groups, const ScatterRules& rules,
                       const std::vector<double>& parts);

/// The part of a state for one share: all boundary particles, and the fluid that it holds.
ParticleState part_of(const ParticleState& state, const ScatteredState& scattered, std::size_t share);

} // namespace sluice::cuda

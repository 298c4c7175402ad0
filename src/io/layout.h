// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/particle_set.h"
#include "model/fields.h"
#include <cstdint>
#include <vector>

namespace sluice {

/// One of `stride` consecutive ids, a different one each time: even in space, but without the stripes that a fixed
/// step would draw into a lattice.
bool is_chosen(std::uint32_t id, std::uint32_t stride);

/// What stays the same in all frames of a run.
struct ParticleLayout {
    double dp = 0; ///< m
    bool two_d = false;
    ParticleGroups groups;
    std::vector<ParticleBlock> blocks;
    FieldSelection fields = state_fields; ///< what stored frames hold besides id and position
    std::uint32_t keep_every = 1;         ///< of so many fluid particles, stored frames hold one

    /// Some boundary particles are moving or floating.
    bool boundary_moves() const;
    /// Those of the fields that stored frames hold of the boundary.
    FieldSelection boundary_fields() const;
};

ParticleLayout layout_of(const ParticleSet& particles);

} // namespace sluice

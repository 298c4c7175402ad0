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
    bool open = false;                    ///< open boundaries may create particles
    bool selected = false;                ///< stored frames hold particles that the case selects (special/outputparts)
    int whole_every = 0;                  ///< but all of them in frames of which this divides the number; 0: in none
    bool mirrors = false; ///< walls at rest have velocities, too: those that they mirror (SlipMode 2 and 3)

    /// Some boundary particles are moving or floating.
    bool boundary_moves() const;
    /// Those of the fields that stored frames hold of the boundary.
    FieldSelection boundary_fields() const;
};

/// The blocks of particles whose ids go up, found by going along. Particles that open boundaries have created, whose
/// ids come after those of all blocks, count as fluid of the first block of fluid.
class BlockOfIds {
public:
    explicit BlockOfIds(const ParticleLayout& layout) : blocks_(layout.blocks) {
        while (created_ < blocks_.size() && !(layout.open && blocks_[created_].is_fluid())) ++created_;
    }
    /// Index of the block of an id, not lower than the one before; the number of blocks if it is in none.
    std::size_t operator()(std::uint32_t id) {
        while (block_ < blocks_.size() && id - blocks_[block_].begin >= blocks_[block_].count) ++block_;
        return block_ < blocks_.size() ? block_ : created_;
    }

private:
    const std::vector<ParticleBlock>& blocks_;
    std::size_t block_ = 0, created_ = 0;
};

ParticleLayout layout_of(const ParticleSet& particles);

} // namespace sluice

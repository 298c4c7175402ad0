// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "geometry/particle_set.h"
#include "run/frame.h"
#include <cstdint>
#include <vector>

namespace sluice {

/// What stays the same in all frames of a run.
struct ParticleLayout {
    double dp = 0; ///< m
    bool two_d = false;
    std::uint32_t boundary_count = 0;
    std::uint32_t total = 0; ///< particles at the start
    std::vector<ParticleBlock> blocks;

    /// Some boundary particles are moving or floating.
    bool boundary_moves() const;
};

ParticleLayout layout_of(const ParticleSet& particles);

/// Index of the first fluid particle of a frame.
std::size_t fluid_begin(const Frame& frame, std::uint32_t boundary_count);

} // namespace sluice

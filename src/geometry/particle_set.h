// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// What a particle is. The numbers are those of the field's own files.
enum class ParticleType : std::uint8_t { fixed = 0, moving = 1, floating = 2, fluid = 3 };

/// "fixed", "moving", "floating" or "fluid".
const char* particle_type_name(ParticleType type);

/// Particles of one mk: consecutive ids, one type.
struct ParticleBlock {
    int mk = 0;      ///< as stored: mkfluid + 1, or mkbound + 1 + fluidcount
    int mk_type = 0; ///< as written in the case: the mkfluid or mkbound
    ParticleType type = ParticleType::fixed;
    std::uint32_t begin = 0; ///< first id
    std::uint32_t count = 0;
    Vec3d min, max, mean; ///< of the positions, metres
    Vec3d deviation{};    ///< standard deviation of the positions, metres
};

/// Everything the geometry makes of a case, in the order of the ids: boundary particles (fixed, moving,
/// floating) before fluid particles, blocks by ascending mk inside a type.
struct ParticleSet {
    double dp = 0;      ///< particle spacing, metres
    bool two_d = false; ///< one plane of constant y
    std::vector<ParticleBlock> blocks;
    std::vector<Vec3d> position;      ///< metres, indexed by id
    std::vector<Vec3f> velocity;      ///< initial velocity, m/s
    std::uint32_t boundary_count = 0; ///< ids below are boundary, from here on fluid

    std::uint32_t size() const { return static_cast<std::uint32_t>(position.size()); }
};

} // namespace sluice

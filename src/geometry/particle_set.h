// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/particle_groups.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// "fixed", "moving", "floating" or "fluid".
const char* particle_type_name(ParticleType type);

/// A group of particles and where the geometry has put it.
struct ParticleBlock : ParticleGroup {
    Vec3d min, max, mean; ///< of the positions, metres
    Vec3d deviation{};    ///< standard deviation of the positions, metres
};

/// Everything the geometry makes of a case, in the order of the ids: boundary particles (fixed, moving,
/// floating) before fluid particles, blocks by ascending mk inside a type.
struct ParticleSet {
    double dp = 0;      ///< particle spacing, metres
    bool two_d = false; ///< one plane of constant y
    std::vector<ParticleBlock> blocks;
    std::vector<Vec3d> position; ///< metres, indexed by id
    std::vector<Vec3f> velocity; ///< initial velocity, m/s
    /// Depth of each fluid particle below the water surface that `rhopgradient` counts from, metres, before initials
    /// move it; the first is that of id `boundary_count`.
    std::vector<float> depth;
    /// Of each boundary particle by id: the vector from it to the nearest point of the wall's surface, metres; zero
    /// where none is known. Empty if the case says nothing of normals.
    std::vector<Vec3f> normals;
    double still_water_depth = 0;        ///< greatest depth of water, metres: sets the speed of sound
    std::uint32_t boundary_count = 0;    ///< ids below are boundary, from here on fluid
    std::vector<std::string> data_files; ///< that drawing and motion read, relative to the data folder of the case

    std::uint32_t size() const { return static_cast<std::uint32_t>(position.size()); }
};

/// The groups that a run knows its particles by.
ParticleGroups groups_of(const std::vector<ParticleBlock>& blocks);

} // namespace sluice

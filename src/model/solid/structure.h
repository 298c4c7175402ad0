// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/solid/material.h"
#include <cstdint>
#include <vector>

namespace sluice {

/// The particles of a flexible structure as they are at time 0: those that it moves, then those of its clamps, which
/// others move or hold. A particle may clamp several structures. In 2-D all lie at the same y.
struct StructureParticles {
    ElasticMaterial material;
    std::uint32_t flexible = 0; ///< how many move
    std::vector<Vec3d> start;   ///< m
};

/// How the particles of a structure move at one time: those that are flexible.
struct StructureState {
    std::vector<Vec3d> position; ///< m
    std::vector<Vec3d> velocity; ///< m/s

    bool operator==(const StructureState&) const = default;
};

} // namespace sluice

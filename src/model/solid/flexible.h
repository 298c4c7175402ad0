// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/solid/structure.h"

namespace sluice {

/// A boundary whose particles are an elastic solid.
struct FlexibleBody {
    int mk_bound = 0;
    ElasticMaterial material;
    std::uint32_t first_id = 0, particles = 0; ///< its particles, which it moves
    std::uint32_t first_clamp = 0, clamps = 0; ///< those that hold it: a range of FlexibleBodies::clamp_id
    std::uint32_t first_start = 0; ///< of its particles, then of those of its clamps, in FlexibleBodies::start
};

/// The flexible bodies of a run.
struct FlexibleBodies {
    std::vector<FlexibleBody> all;
    std::vector<std::uint32_t> clamp_id; ///< particles of walls
    std::vector<Vec3d> start;            ///< places at time 0, from the domain's lower corner, m

    bool any() const { return !all.empty(); }
    StructureParticles structure_of(const FlexibleBody& body) const {
        const auto begin = start.begin() + body.first_start;
        return {body.material, body.particles, {begin, begin + body.particles + body.clamps}};
    }
    /// Of particle `i` of the body's structure.
    std::uint32_t id_of(const FlexibleBody& body, std::uint32_t i) const {
        return i < body.particles ? body.first_id + i : clamp_id[body.first_clamp + i - body.particles];
    }
};

} // namespace sluice

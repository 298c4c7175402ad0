// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cstdint>
#include <vector>

namespace sluice {

/// What a backend that keeps neighbour lists over several steps needs to go on with the very same ones: the order of
/// their entries is the order of its sums. Nothing for other backends, which leave it as it is here.
struct NeighbourListState {
    bool expired = true; ///< new lists are built before the next interaction
    std::uint32_t steps_since_build = 0;
    float skin = 0;   ///< of the lists in use, m
    float spread = 0; ///< largest displacement of neighbours against one another since the build, over what is allowed
    float travel = 0; ///< largest displacement since the build, m
    float spread_rate = 0;     ///< how fast neighbours moved apart before the last build, m a step; 0: not known
    std::vector<Vec3d> origin; ///< where the particles were at the build, as ParticleState::position; empty if expired

    bool operator==(const NeighbourListState&) const = default;
};

/// The complete state between two steps, in the backend's own order: what a checkpoint must hold for the resumed
/// run to be bitwise the same. Positions are relative to `RunSetup::domain.min`, in double precision, which holds
/// every backend's representation exactly.
struct ParticleState {
    std::vector<std::uint32_t> id;
    std::vector<Vec3d> position;          ///< relative to the domain's lower corner, m
    std::vector<Vec3f> velocity;          ///< level n, m/s
    std::vector<Vec3f> velocity_previous; ///< level n−1 (Verlet)
    std::vector<float> density;           ///< level n, kg/m³
    std::vector<float> density_previous;
    std::int64_t step = 0; ///< steps done
    double time = 0;       ///< s
    double dt = 0;         ///< of the last step, s
    double dt_limit = 0;   ///< symplectic: bound from the last corrector, s; 0: none
    NeighbourListState lists;

    std::size_t size() const { return id.size(); }
};

} // namespace sluice

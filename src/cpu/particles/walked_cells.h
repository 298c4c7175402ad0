// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include <cstdint>

namespace sluice {

/// How many particles a state has, and the box around them.
struct Spread {
    std::uint32_t particles = 0;
    Vec3d low, high; ///< from the domain's lower corner, m

    explicit Spread(const ParticleState& state);
};

/// About how many cells of 2h/`divisions` a run on the CPU has that begins like that: those where particles are.
std::uint64_t cells_walked(const RunSetup& setup, const Spread& spread, int divisions);

} // namespace sluice

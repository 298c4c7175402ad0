// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/fixed_grid.h"

// Places of particles that have left through open boundaries. Neighbour lists are not renewed for that: the place of
// each stays in them without a particle. It carries the excluded cell, so that passes skip it, and a position so far
// away that no search finds it: no difference of 32 bits between it and the domain is within reach. The next renewal
// removes these places.

namespace sluice::cuda {

/// The position of such a place: half of the range of 32 bits away from where the particle was.
SLUICE_HD inline Position vacated(const Position& p) {
    return {std::int32_t(std::uint32_t(p.x) + (1u << 31)), p.y, p.z, 0};
}

/// Whether what has moved so since the build of the lists is such a place: no particle goes half as far.
SLUICE_HD inline bool is_vacated(const Position& now, const Position& then) {
    return std::uint32_t(now.x) - std::uint32_t(then.x) + (1u << 30) > 1u << 31;
}

} // namespace sluice::cuda

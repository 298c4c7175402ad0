// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/fixed_grid.h"

// Places that particles have vacated. Lists of neighbours need not be renewed because particles have left through open
// boundaries: the place of each stays in them, with nobody in it. It carries the excluded cell, so that nothing is done
// for it, and a position so far away that nobody finds anything there; between the domain and that position there is
// nothing that a difference of 32 bits could reach. The next renewal closes the gaps.

namespace sluice::cuda {

/// Where such a place is said to be: half of what 32 bits count away from where the particle was.
SLUICE_HD inline Position vacated(const Position& p) {
    return {std::int32_t(std::uint32_t(p.x) + (1u << 31)), p.y, p.z, 0};
}

/// Whether what has moved so since the build of the lists is such a place: no particle goes half as far.
SLUICE_HD inline bool is_vacated(const Position& now, const Position& then) {
    return std::uint32_t(now.x) - std::uint32_t(then.x) + (1u << 30) > 1u << 31;
}

} // namespace sluice::cuda

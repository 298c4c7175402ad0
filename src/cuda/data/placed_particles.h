// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/grid_period.h"
#include <vector>

// Positions in the form of the host and in that of the kernels.

namespace sluice::cuda {

/// A position as the kernels hold it, in metres from the domain's corner; inside the domain along periodic axes.
SLUICE_HD inline Vec3d metres(const FixedGrid& grid, const GridPeriod& period, const Position& p,
                              std::uint32_t near_cell) {
    const Units64 u = period.wrapped(unwrap(grid, p, near_cell));
    return double(grid.unit) * Vec3d{double(u.x), double(u.y), double(u.z)};
}

/// Positions (m, from the domain's corner) and the cells that they lie in, as the kernels hold them.
struct PlacedParticles {
    std::vector<Position> position; ///< without pressure terms
    std::vector<std::uint32_t> cell;

    /// Those of `metres`, in this order; what lies beyond a periodic side is brought into the domain.
    PlacedParticles(const FixedGrid& grid, const GridPeriod& period, const std::vector<Vec3d>& metres,
                    const std::vector<std::uint32_t>& order);
    /// All of them, in theirs.
    PlacedParticles(const FixedGrid& grid, const GridPeriod& period, const std::vector<Vec3d>& metres);
    /// Moves every position to the one of its images that is next to where the particle was at another time.
    void move_next_to(const PlacedParticles& then, const FixedGrid& grid, const GridPeriod& period);
};

} // namespace sluice::cuda

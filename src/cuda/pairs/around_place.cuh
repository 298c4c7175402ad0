// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/reduce.cuh"
#include "cuda/pairs/hit_ring.cuh"
#include "cuda/pairs/image_loops.h"
#include "cuda/pairs/interaction.h"

// The coarse search around places that are no fluid particles: ghost nodes of walls, particles of bodies.

namespace sluice::cuda {

/// How far from a place particles may be found which have moved by `travel` (m) since their cells were made.
struct SearchRadius {
    int reach;           ///< cells on either side
    float squared_cells; ///< squared, in cells
};
__device__ inline SearchRadius search_radius(const FixedGrid& grid, float support, float travel,
                                             float one_cell_travel) {
    const float cells = 1.00001f * (support + travel) / ldexpf(grid.unit, grid.cell_bits);
    return {travel > one_cell_travel ? 2 : grid.reach, cells * cells};
}

/// Lanes find their particles in different rows of cells, and so not at the same time: more words than for the fluid.
using WideRing = HitRing<16>;

/// The rows of cells that one of several threads searches which share a place: the same whatever the reach is.
template <int Parts>
struct RowsOfPart {
    ImageRows rows;
    int part;

    template <class Cell, class Use>
    __device__ void for_each(const Cell& cell, const Reach& reach, Use&& use) const {
        static_assert((Parts & (Parts - 1)) == 0);
        const auto mine = [this](int dy, int dz) { return ((dy + 2 * dz) & (Parts - 1)) == part; };
        rows.for_each_wanted(mine, cell, reach, use);
    }
};

/// Calls `visit(image, j)` for every particle j of `cells` that may be near the target or an image of it, image by
/// image, in their order in the cells: by the coarse search, for which `args.view` has coarse positions and
/// `coarse_limit` is that of the distance wanted. `place`: where the target is. All lanes of a warp must call this;
/// those with `searches` false find nothing. `shared`: WideRing::bytes_per_warp for every warp of the block. `part`:
/// of `Parts` threads that share the target, in different warps.
template <int Parts = 1, class Visit>
__device__ void visit_around(const InteractionArgs& args, const CellBegins& cells, const Target& target,
                             const Units64& place, const SearchRadius& radius, int coarse_limit, bool searches,
                             void* shared, Visit&& visit, int part = 0) {
    const InteractionView& v = args.view;
    RowsOfPart<Parts> rows{{v.grid, cells}, part};
    rows.rows.grid.reach = radius.reach;
    args.period.for_each_copy([&](const Units64& shift) {
        const Units64 at = place + shift;
        const bool is_near = searches && near_domain(v.grid, at, search_reach);
        if (!__any_sync(all_lanes, is_near)) return;
        const Target image = target.shifted(shift);
        SearchLimits limits{image.reach(v.grid), coarse_limit};
        limits.reach.radius2 = radius.squared_cells;
        visit_near(v, image.position(), limits, rows, cell_around(v.grid, at), is_near, WideRing(shared),
                   [&](std::uint32_t j) { visit(image, j); });
    });
}

} // namespace sluice::cuda

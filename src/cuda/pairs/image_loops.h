// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/grid_period.h"
#include "cuda/data/pair_loops.h"

// The neighbour loops of one particle across periodic sides (grid_period.h), host and device like those of
// pair_loops.h. These are the loops of the versions with lists, where positions have changed since the cells were made.

namespace sluice::cuda {

/// Every `step`-th row of another search, beginning with row `first`.
template <class Rows>
struct EveryNthRow {
    Rows rows;
    int first, step;

    template <class Cell, class Use>
    SLUICE_INLINE void for_each(const Cell& cell, const Reach& reach, Use&& use) const {
        int k = 0;
        rows.for_each(cell, reach, [&](Range range) {
            if (k++ % step == first) use(range);
        });
    }
};

/// Calls `use(shift, box)` for the images of a particle that was in `cell` at the build, with the cells around those
/// where the image may have been then, since a shift need not be a number of cells.
template <class Use>
SLUICE_INLINE void for_each_image_box(const FixedGrid& grid, const GridPeriod& period, std::uint32_t cell, Use&& use) {
    const CellCoordinates at = cell_coordinates(grid, cell);
    const int reach = grid.reach;
    period.for_each_shift([&](const Units64& shift) {
        const CellCoordinates by = cell_around(grid, shift), low{at.x + by.x, at.y + by.y, at.z + by.z};
        use(shift, CellBox{{low.x - reach, low.y - reach, low.z - reach},
                           {low.x + 1 + reach, low.y + 1 + reach, low.z + 1 + reach}});
    });
}

/// Calls `use(shift, cell)` for a particle and its images near the domain, with the cell where each is now. The
/// particle was in `cell` at the build and may have left the domain through a periodic side since.
template <class Use>
SLUICE_INLINE void for_each_place(const FixedGrid& grid, const GridPeriod& period, const Position& p,
                                  std::uint32_t cell, Use&& use) {
    const Units64 here = unwrap(grid, p, cell);
    const auto visit = [&](const Units64& shift) {
        const Units64 there = here + shift;
        if (near_domain(grid, there, search_reach)) use(shift, cell_around(grid, there));
    };
    visit({0, 0, 0});
    period.for_each_shift(visit);
}

/// Sums over the fluid near the images of a particle that was in `cell` at the build.
template <class F>
SLUICE_INLINE FluidSums sum_fluid_images(const InteractionView& v, const sph::PairConstants<float>& c,
                                         const GridPeriod& period, const Target& a, std::uint32_t cell) {
    FluidSums sums;
    for_each_image_box(v.grid, period, cell, [&](const Units64& shift, const CellBox& box) {
        sums.add(sum_fluid<F>(v, c, a.shifted(shift), BoxRows{v.grid, v.fluid}, box));
    });
    return sums;
}

/// Sums over the boundary particles near a particle and near its images, from every `step`-th row of cells from `first`
/// on. The particle was in `cell` at the build.
template <class F>
SLUICE_INLINE FluidSums sum_wall_and_images(const InteractionView& v, const sph::PairConstants<float>& c,
                                            const GridPeriod& period, const Target& a, std::uint32_t cell, int first,
                                            int step) {
    FluidSums sums;
    for_each_place(v.grid, period, a.position(), cell, [&](const Units64& shift, const CellCoordinates& at) {
        sums.add(sum_wall<F>(v, c, a.shifted(shift), EveryNthRow<ImageRows>{{v.grid, v.boundary}, first, step}, at));
    });
    return sums;
}

/// dρ/dt of boundary particle i from the fluid near its images, in cells up to `reach` away, every `step`-th candidate
/// from `first` on.
template <class Continuity>
SLUICE_INLINE float sum_boundary_images(const InteractionView& v, const sph::PairConstants<float>& c,
                                        const GridPeriod& period, int reach, std::uint32_t i, std::uint32_t first = 0,
                                        std::uint32_t step = 1) {
    const Target a = load_target(v, i);
    const Units64 here = unwrap(v.grid, a.position(), v.cell[i]);
    float density = 0;
    period.for_each_shift([&](const Units64& shift) {
        density += sum_boundary_target<Continuity>(v, c, a.shifted(shift), BoxRows{v.grid, v.fluid},
                                                   box_around(cell_around(v.grid, here + shift), reach), first, step);
    });
    return density;
}

} // namespace sluice::cuda

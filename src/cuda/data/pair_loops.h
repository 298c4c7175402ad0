// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/phase_bits.h"
#include "cuda/data/views.h"
#include "cuda/device/device_math.cuh"
#include "physics/sph/pair_rates.h"

// The neighbour loops of one particle, host and device: CUDA threads run them one particle each, unit tests run them
// on the host.

namespace sluice::cuda {

/// A particle's place in its cell, in cells, and what it can reach from there.
struct Reach {
    float x, y, z;
    float radius2; ///< squared support radius, in cells

    /// Squared distance from coordinate f (0 … 1) to the cells that lie d further.
    SLUICE_INLINE static float gap2(float f, float d) {
        const float gap = sph::maximum(sph::maximum(d - f, f - 1 - d), 0.0f);
        return gap * gap;
    }
};

SLUICE_INLINE Reach reach_of(const FixedGrid& g, std::int32_t x, std::int32_t y, std::int32_t z) {
    const int mask = (1 << g.cell_bits) - 1;
    const float cells = 1.0f / float(1 << g.cell_bits);
    return {float(x & mask) * cells, float(y & mask) * cells, float(z & mask) * cells, g.radius2_in_cells};
}

/// Rows of cells around a particle's cell, found on the fly, each cut to the cells that the particle reaches in it. All
/// lanes of a warp visit all rows, empty ones too, so that they stay together. `Outside`: for cells given by their
/// coordinates, which may lie outside the grid.
template <bool Outside>
struct RowsInReach {
    FixedGrid grid;
    CellBegins cells;

    template <class Cell, class Use>
    SLUICE_INLINE void for_each(const Cell& cell, const Reach& reach, Use&& use) const {
        for_each_wanted([](int, int) { return true; }, cell, reach, use);
    }
    /// Of these, the rows (dy, dz) away from the particle's for which `wants(dy, dz)`.
    template <class Wants, class Cell, class Use>
    SLUICE_INLINE void for_each_wanted(const Wants& wants, const Cell& cell, const Reach& reach, Use&& use) const {
        const CellCoordinates c = cell_coordinates(grid, cell);
        const int r = grid.reach;
        for (int dz = -r; dz <= r; ++dz) {
            const bool exists = unsigned(c.z + dz) < unsigned(grid.nz);
            const float left = exists ? reach.radius2 - Reach::gap2(reach.z, float(dz)) : -1.0f;
            for (int dy = -r; dy <= r; ++dy)
                if (wants(dy, dz)) use(row(c, reach.x, left - Reach::gap2(reach.y, float(dy)), c.y + dy, c.z + dz));
        }
    }

private:
    /// Of row (y, z), what is less than sqrt(`left`) cells from a particle at coordinate x (0 … 1) of cell c.
    SLUICE_INLINE Range row(CellCoordinates c, float x, float left, int y, int z) const {
        if (left <= 0 || unsigned(y) >= unsigned(grid.ny)) return {0, 0};
        left = sph::maximum(left, 1e-12f);
        const float half = left * sph::inverse_sqrt(left); // radius2 has room for its error
        int x0 = c.x + int(floorf(x - half)), x1 = c.x + int(floorf(x + half));
        x0 = x0 < 0 ? 0 : x0;
        x1 = x1 < grid.nx ? x1 : grid.nx - 1;
        if (Outside && x0 > x1) return {0, 0};
        const std::uint32_t* begin = cells.begin + cell_index(grid, {0, y, z});
        return {cells.base + begin[x0], cells.base + begin[x1 + 1]};
    }
};
using SearchedRows = RowsInReach<false>;
using ImageRows = RowsInReach<true>;

/// The same around cells of an earlier time: nothing can be cut.
struct WholeRows {
    FixedGrid grid;
    CellBegins cells;

    template <class Use>
    SLUICE_INLINE void for_each(std::uint32_t cell, const Reach&, Use&& use) const {
        const CellCoordinates c = cell_coordinates(grid, cell);
        const int r = grid.reach;
        const int x0 = c.x > r ? c.x - r : 0, x1 = c.x + r < grid.nx ? c.x + r : grid.nx - 1;
        const int y0 = c.y > r ? c.y - r : 0, y1 = c.y + r < grid.ny ? c.y + r : grid.ny - 1;
        const int z0 = c.z > r ? c.z - r : 0, z1 = c.z + r < grid.nz ? c.z + r : grid.nz - 1;
        for (int z = z0; z <= z1; ++z)
            for (int y = y0; y <= y1; ++y) {
                const std::uint32_t first = cell_index(grid, {x0, y, z});
                use(Range{cells.base + cells.begin[first], cells.base + cells.begin[first + (x1 - x0) + 1]});
            }
    }
};

/// Cells low … high along every axis; they may lie outside the grid.
struct CellBox {
    CellCoordinates low, high;
};
/// A cell and those up to `reach` away.
SLUICE_INLINE CellBox box_around(CellCoordinates c, int reach) {
    return {{c.x - reach, c.y - reach, c.z - reach}, {c.x + reach, c.y + reach, c.z + reach}};
}

/// What of a box lies in the grid.
struct BoxRows {
    FixedGrid grid;
    CellBegins cells;

    template <class Use>
    SLUICE_INLINE void for_each(const CellBox& box, const Reach&, Use&& use) const {
        const int x0 = box.low.x > 0 ? box.low.x : 0, x1 = box.high.x < grid.nx ? box.high.x : grid.nx - 1;
        const int y0 = box.low.y > 0 ? box.low.y : 0, y1 = box.high.y < grid.ny ? box.high.y : grid.ny - 1;
        const int z0 = box.low.z > 0 ? box.low.z : 0, z1 = box.high.z < grid.nz ? box.high.z : grid.nz - 1;
        if (x0 > x1) return;
        for (int z = z0; z <= z1; ++z)
            for (int y = y0; y <= y1; ++y) {
                const std::uint32_t* begin = cells.begin + cell_index(grid, {0, y, z});
                use(Range{cells.base + begin[x0], cells.base + begin[x1 + 1]});
            }
    }
};

/// Constants of the pair formula for both kinds of neighbour of a fluid particle.
struct FluidPairs {
    sph::PairConstants<float> fluid, boundary;

    FluidPairs() = default;
    /// `phases`: of several fluids; null: there is one.
    explicit FluidPairs(const sph::Constants& c, const sph::PhasePairs<float>* phases = nullptr)
        : fluid(c, sph::PairKind::fluid_fluid, sph::metre, phases),
          boundary(c, sph::PairKind::fluid_boundary, sph::metre, phases) {}
};

/// Formulation of a fluid particle's pairs with fluid, and with boundary particles (without density diffusion).
template <class F>
using Gathered = typename F::Gathered;
template <class F>
using GatheredAtWall = typename F::AtWall::Gathered;

/// Added to squared distances (m²), so that a particle's pair with itself divides by something: its terms are zero.
inline constexpr float distance_floor = 1e-18f;

SLUICE_INLINE float squared_length(float dx, float dy, float dz) {
    return fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, distance_floor)));
}

/// Sums over the neighbours of one fluid particle.
struct FluidSums {
    float ax = 0, ay = 0, az = 0;
    float density = 0, diffusion = 0;
    float viscous = 0; ///< largest |h v·r/(r²+η²)|
    bool touches_boundary = false;

    /// Multiplies the sums over pairs of one kind with what the pairs left out.
    SLUICE_INLINE void scale(const sph::PairScales<float>& by, float rho) {
        ax *= by.rates;
        ay *= by.rates;
        az *= by.rates;
        density *= by.rates;
        diffusion *= by.diffusion * rho;
        viscous *= by.viscous;
    }
    /// Turns forces over the mass of the constants into accelerations of a particle of one of several fluids.
    SLUICE_INLINE void weigh(float weight) {
        ax *= weight;
        ay *= weight;
        az *= weight;
    }
    SLUICE_INLINE void add(const FluidSums& other) {
        ax += other.ax;
        ay += other.ay;
        az += other.az;
        density += other.density;
        diffusion += other.diffusion;
        viscous = sph::maximum(viscous, other.viscous);
        touches_boundary |= other.touches_boundary;
    }
};

/// One fluid particle's own values, held in registers.
struct Target {
    std::uint32_t x, y, z; ///< prepared coordinates
    sph::Side<float> side;

    SLUICE_INLINE Position position() const {
        return {unprepared(x), unprepared(y), unprepared(z), side.pressure_term};
    }
    SLUICE_INLINE Reach reach(const FixedGrid& g) const {
        return reach_of(g, unprepared(x), unprepared(y), unprepared(z));
    }
    /// One of its images.
    SLUICE_INLINE Target shifted(const Units64& by) const {
        return {x + std::uint32_t(by.x), y + std::uint32_t(by.y), z + std::uint32_t(by.z), side};
    }
};

SLUICE_INLINE sph::Side<float> side_of(const Flow& flow, float pressure_term) {
    return {flow.vx, flow.vy, flow.vz, flow.rho, pressure_term};
}

SLUICE_INLINE Target load_target(const InteractionView& v, std::uint32_t i) {
    const Position p = load16(v.position + i);
    return {prepared(p.x), prepared(p.y), prepared(p.z), side_of(load16(v.flow + i), p.pressure_term)};
}

struct Separation {
    float dx, dy, dz, r2;
};

SLUICE_INLINE Separation separation_from(const InteractionView& v, const Target& a, const Position& p) {
    const float dx = separation(a.x, p.x, v.grid.unit, v.grid.magic_offset);
    const float dy = separation(a.y, p.y, v.grid.unit, v.grid.magic_offset);
    const float dz = separation(a.z, p.z, v.grid.unit, v.grid.magic_offset);
    return {dx, dy, dz, squared_length(dx, dy, dz)};
}

/// A side as formulation F takes it: the general one knows phases, which mean something where there are several fluids.
template <class F>
SLUICE_INLINE auto formulated(const sph::Side<float>& side) {
    if constexpr (F::general)
        return sph::PhasedSide<float>{side, bits_of(side.pressure_term)};
    else
        return side;
}

/// Adds what neighbour j does to the target. F: the pair's formulation. Beyond the support every term is zero but the
/// viscous maximum, which `MayBeFar` guards. Returns the squared distance.
template <class F, bool MayBeFar>
SLUICE_INLINE float add_pair(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a,
                             std::uint32_t j, FluidSums& sums) {
    const Position p = load16(v.position + j);
    const Flow f = load16(v.flow + j);
    const Separation s = separation_from(v, a, p);
    const sph::PairRates<float> rates = sph::pair_rates<F>(c, s.dx, s.dy, s.dz, s.r2, formulated<F>(a.side),
                                                           formulated<F>(side_of(f, p.pressure_term)));
    sums.ax += rates.acceleration * s.dx;
    sums.ay += rates.acceleration * s.dy;
    sums.az += rates.acceleration * s.dz;
    if constexpr (F::laminar && F::of_velocity) {
        sums.ax += rates.friction * (a.side.vx - f.vx);
        sums.ay += rates.friction * (a.side.vy - f.vy);
        sums.az += rates.friction * (a.side.vz - f.vz);
    }
    sums.density += rates.density_a;
    sums.diffusion += rates.diffusion_a;
    if (!MayBeFar || s.r2 < c.support2) sums.viscous = sph::maximum(sums.viscous, rates.viscous);
    return s.r2;
}

SLUICE_INLINE int lowest_bit(std::uint32_t mask) {
#ifdef __CUDA_ARCH__
    return __ffs(int(mask)) - 1;
#else
    return __builtin_ctz(mask);
#endif
}

/// Visits the particles of a range that are within the support. First all candidates are tested, then those that hit
/// are visited, so that the lanes of a warp compute together although they hit different candidates.
template <class Use>
SLUICE_INLINE void for_each_near(const InteractionView& v, const Target& a, float support2, Range range, Use&& use) {
    for (std::uint32_t first = range.begin; first < range.end; first += 32) {
        const std::uint32_t count = range.end - first < 32 ? range.end - first : 32;
        std::uint32_t near = 0;
        for (std::uint32_t k = 0; k < count; ++k)
            if (separation_from(v, a, load16(v.position + first + k)).r2 < support2) near |= 1u << k;
        for (; near; near &= near - 1) use(first + lowest_bit(near));
    }
}

/// Sums over the fluid neighbours of one particle, found in rows of cells around `cell`.
template <class F, class Rows, class Cell>
SLUICE_INLINE FluidSums sum_fluid(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a,
                                  const Rows& rows, const Cell& cell) {
    FluidSums sums;
    rows.for_each(cell, a.reach(v.grid), [&](Range range) {
        for_each_near(v, a, c.support2, range,
                      [&](std::uint32_t j) { add_pair<Gathered<F>, false>(v, c, a, j, sums); });
    });
    sums.scale(sph::pair_scales<typename F::Kernel>(c), a.side.rho);
    return sums;
}

/// The same over boundary neighbours.
template <class F, class Rows, class Cell>
SLUICE_INLINE FluidSums sum_wall(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a,
                                 const Rows& rows, const Cell& cell) {
    FluidSums sums;
    rows.for_each(cell, a.reach(v.grid), [&](Range range) {
        for_each_near(v, a, c.support2, range, [&](std::uint32_t j) {
            add_pair<GatheredAtWall<F>, false>(v, c, a, j, sums);
            sums.touches_boundary = true;
        });
    });
    sums.scale(sph::pair_scales<typename F::Kernel>(c), a.side.rho);
    return sums;
}

/// Sums over the fluid and boundary neighbours of fluid particle i (F–F and F–B in one pass).
template <class F, class Rows>
SLUICE_INLINE FluidSums sum_fluid_particle(const InteractionView& v, const FluidPairs& pairs, const Rows& fluid,
                                           const Rows& boundary, std::uint32_t i) {
    const Target a = load_target(v, i);
    const std::uint32_t cell = v.cell[i];
    FluidSums sums = sum_fluid<F>(v, pairs.fluid, a, fluid, cell);
    if (v.near_boundary[cell]) sums.add(sum_wall<F>(v, pairs.boundary, a, boundary, cell));
    return sums;
}

/// What fluid particle j adds to the dρ/dt of a boundary particle; nothing beyond the support. Continuity: of the pair
/// formula.
template <class Continuity>
SLUICE_INLINE float boundary_pair(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a,
                                  std::uint32_t j) {
    const Separation s = separation_from(v, a, load16(v.position + j));
    const Flow f = load16(v.flow + j);
    return Continuity::rate(c, s.dx, s.dy, s.dz, s.r2, a.side, side_of(f, 0));
}

/// dρ/dt of boundary particle a from its fluid neighbours (B–F), or from every `step`-th candidate from `first` on.
template <class Continuity, class Rows, class Cell>
SLUICE_INLINE float sum_boundary_target(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a,
                                        const Rows& fluid, const Cell& cell, std::uint32_t first = 0,
                                        std::uint32_t step = 1) {
    float density = 0;
    fluid.for_each(cell, a.reach(v.grid), [&](Range range) {
        for (std::uint32_t j = range.begin + first; j < range.end; j += step) {
            if (separation_from(v, a, load16(v.position + j)).r2 < c.support2)
                density += boundary_pair<Continuity>(v, c, a, j);
        }
    });
    return density;
}
template <class Continuity, class Rows>
SLUICE_INLINE float sum_boundary_particle(const InteractionView& v, const sph::PairConstants<float>& c,
                                          const Rows& fluid, std::uint32_t i, std::uint32_t first = 0,
                                          std::uint32_t step = 1) {
    return sum_boundary_target<Continuity>(v, c, load_target(v, i), fluid, v.cell[i], first, step);
}

/// The rates of a fluid particle from its sums.
SLUICE_INLINE RateRecord fluid_rates(const StepConstants& c, const FluidSums& sums) {
    const bool keeps = sph::keeps_diffusion(c.run.diffusion, sums.touches_boundary);
    return {sums.ax + float(c.run.gravity.x), sums.ay + float(c.run.gravity.y), sums.az + float(c.run.gravity.z),
            sums.density + (keeps ? sums.diffusion : 0.0f)};
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/views.h"
#include "sph/pair_rates.h"

// The neighbour loops of one particle, host and device: CUDA threads run them one particle each, unit tests run them
// on the host.

namespace sluice::cuda {

/// Loads 16 bytes at once through the read-only path.
template <class T>
SLUICE_INLINE T load16(const T* p) {
    static_assert(sizeof(T) == 16 && alignof(T) == 16);
#ifdef __CUDA_ARCH__
    const int4 raw = __ldg(reinterpret_cast<const int4*>(p));
    T value;
    __builtin_memcpy(&value, &raw, 16);
    return value;
#else
    return *p;
#endif
}

/// Rows of cells around a particle's cell, found on the fly.
struct SearchedRows {
    FixedGrid grid;
    CellBegins cells;

    template <class Use>
    SLUICE_INLINE void for_each(std::uint32_t cell, Use&& use) const {
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

/// Rows whose ranges were stored per cell.
struct StoredRows {
    const Range* ranges;
    int rows;

    template <class Use>
    SLUICE_INLINE void for_each(std::uint32_t cell, Use&& use) const {
        const Range* mine = ranges + std::size_t(cell) * rows;
        for (int k = 0; k < rows; ++k) use(mine[k]);
    }
};

/// Constants of the pair formula for both kinds of neighbour of a fluid particle.
struct FluidPairs {
    sph::PairConstants<float> fluid, boundary;

    FluidPairs() = default;
    explicit FluidPairs(const sph::Constants& c)
        : fluid(c, sph::PairKind::fluid_fluid), boundary(c, sph::PairKind::fluid_boundary) {}
};

/// Formulation of a fluid particle's pairs with fluid, and with boundary particles (without density diffusion).
template <class F>
using Gathered = sph::Formulation<typename F::Kernel, F::diffusion, F::any_gamma, true>;
template <class F>
using GatheredAtWall = sph::Formulation<typename F::Kernel, sph::DensityDiffusion::none, F::any_gamma, true>;

/// Added to squared distances (m²), so that a particle's pair with itself divides by something: its terms are zero.
inline constexpr float distance_floor = 1e-18f;

SLUICE_INLINE float squared_length(float dx, float dy, float dz) { return fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, distance_floor))); }

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

    SLUICE_INLINE Position position() const { return {unprepared(x), unprepared(y), unprepared(z), side.pressure_term}; }
};

SLUICE_INLINE sph::Side<float> side_of(const Flow& flow, float pressure_term) {
    return {flow.vx, flow.vy, flow.vz, flow.rho, pressure_term};
}

SLUICE_INLINE Target load_target(const InteractionView& v, std::uint32_t i) {
    const Position p = load16(v.position + i);
    return {prepared(p.x), prepared(p.y), prepared(p.z), side_of(load16(v.flow + i), p.pressure_term)};
}

/// Adds what neighbour j does to the target if it is within the support. F: the pair's formulation.
template <class F, bool IsBoundary>
SLUICE_INLINE void add_neighbour(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a,
                                 std::uint32_t j, FluidSums& sums) {
    const Position p = load16(v.position + j);
    const float dx = separation(a.x, p.x, v.grid.unit, v.grid.magic_offset);
    const float dy = separation(a.y, p.y, v.grid.unit, v.grid.magic_offset);
    const float dz = separation(a.z, p.z, v.grid.unit, v.grid.magic_offset);
    const float r2 = squared_length(dx, dy, dz);
    if (!(r2 < c.support2)) return;
    const sph::PairRates<float> rates =
        sph::pair_rates<F>(c, dx, dy, dz, r2, a.side, side_of(load16(v.flow + j), p.pressure_term));
    sums.ax += rates.acceleration * dx;
    sums.ay += rates.acceleration * dy;
    sums.az += rates.acceleration * dz;
    sums.density += rates.density;
    if constexpr (IsBoundary) sums.touches_boundary = true;
    else sums.diffusion += rates.diffusion_a;
    sums.viscous = sph::maximum(sums.viscous, rates.viscous);
}

/// Sums over the fluid neighbours of one particle, found in rows of cells around `cell`.
template <class F, class Rows>
SLUICE_INLINE FluidSums sum_fluid(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a, const Rows& rows, std::uint32_t cell) {
    FluidSums sums;
    rows.for_each(cell, [&](Range range) {
        for (std::uint32_t j = range.begin; j < range.end; ++j) add_neighbour<Gathered<F>, false>(v, c, a, j, sums);
    });
    sums.scale(sph::pair_scales<typename F::Kernel>(c), a.side.rho);
    return sums;
}

/// The same over boundary neighbours.
template <class F, class Rows>
SLUICE_INLINE FluidSums sum_wall(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a, const Rows& rows, std::uint32_t cell) {
    FluidSums sums;
    rows.for_each(cell, [&](Range range) {
        for (std::uint32_t j = range.begin; j < range.end; ++j) add_neighbour<GatheredAtWall<F>, true>(v, c, a, j, sums);
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

/// dρ/dt of boundary particle i from its fluid neighbours (B–F).
template <class Kernel, class Rows>
SLUICE_INLINE float sum_boundary_particle(const InteractionView& v, const sph::PairConstants<float>& c,
                                          const Rows& fluid, std::uint32_t i) {
    const Target a = load_target(v, i);
    float density = 0;
    fluid.for_each(v.cell[i], [&](Range range) {
        for (std::uint32_t j = range.begin; j < range.end; ++j) {
            const Position p = load16(v.position + j);
            const float dx = separation(a.x, p.x, v.grid.unit, v.grid.magic_offset);
            const float dy = separation(a.y, p.y, v.grid.unit, v.grid.magic_offset);
            const float dz = separation(a.z, p.z, v.grid.unit, v.grid.magic_offset);
            const float r2 = dx * dx + dy * dy + dz * dz;
            if (!(r2 < c.support2)) continue;
            const Flow f = load16(v.flow + j);
            density += sph::continuity_rate<Kernel>(c, dx, dy, dz, r2, a.side.vx - f.vx, a.side.vy - f.vy, a.side.vz - f.vz);
        }
    });
    return density;
}

/// The rates of a fluid particle from its sums.
SLUICE_INLINE RateRecord fluid_rates(const StepConstants& c, const FluidSums& sums) {
    const bool keeps = sph::keeps_diffusion(c.run.diffusion, sums.touches_boundary);
    return {sums.ax + float(c.run.gravity.x), sums.ay + float(c.run.gravity.y), sums.az + float(c.run.gravity.z),
            sums.density + (keeps ? sums.diffusion : 0.0f)};
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/paper/paper_interaction.h"
#include "bench/paper/prepared_side.h"
#include "cuda/device/block_size.cuh"
#include "cuda/device/check.h"
#include "cuda/pairs/finish_particle.cuh"

// The kernels of paper_interaction.h. Included once per smoothing kernel, so that the two compile side by side.

namespace sluice::paper {

// ---- C: two packed arrays of 16 bytes, or six arrays

struct PackedParticles {
    using Side = sph::Side<float>;
    const Position* position;
    const Flow* flow;

    explicit PackedParticles(const PaperArgs& args) : position(args.base.view.position), flow(args.base.view.flow) {}
    __device__ Position place(std::uint32_t i) const { return load16(position + i); }
    __device__ Side side(std::uint32_t i, const Position& place) const {
        return side_of(load16(flow + i), place.pressure_term);
    }
};

struct SeparateParticles {
    using Side = PreparedSide<float>;
    SixArrays arrays;

    explicit SeparateParticles(const PaperArgs& args) : arrays(args.separate) {}
    __device__ Position place(std::uint32_t i) const {
        const Triple<std::int32_t>* p = arrays.position + i;
        return {__ldg(&p->x), __ldg(&p->y), __ldg(&p->z), 0};
    }
    __device__ Side side(std::uint32_t i, const Position&) const {
        const Triple<float>* v = arrays.velocity + i;
        return {{__ldg(&v->x), __ldg(&v->y), __ldg(&v->z), __ldg(arrays.density + i), __ldg(arrays.pressure_term + i)},
                __ldg(arrays.sound_speed + i),
                __ldg(arrays.tensile + i)};
    }
};

// ---- D: ranges of particles stored per cell, or cell by cell

struct CellByCell {
    FixedGrid grid;
    CellBegins cells;

    template <class Use>
    __device__ void for_each(std::uint32_t cell, Use&& use) const {
        const CellCoordinates c = cell_coordinates(grid, cell);
        const int r = grid.reach;
        for (int z = max(c.z - r, 0); z <= min(c.z + r, grid.nz - 1); ++z)
            for (int y = max(c.y - r, 0); y <= min(c.y + r, grid.ny - 1); ++y)
                for (int x = max(c.x - r, 0); x <= min(c.x + r, grid.nx - 1); ++x) {
                    const std::uint32_t* begin = cells.begin + cell_index(grid, {x, y, z});
                    use(Range{cells.base + begin[0], cells.base + begin[1]});
                }
    }
};

struct StoredRanges {
    const Range* ranges;
    int rows;

    template <class Use>
    __device__ void for_each(std::uint32_t cell, Use&& use) const {
        const Range* mine = ranges + std::size_t(cell) * rows;
        for (int row = 0; row < rows; ++row) use(mine[row]);
    }
};

// ---- one particle

/// A particle's own values, held in registers.
template <class Particles>
struct Own {
    std::uint32_t x, y, z; ///< prepared coordinates
    typename Particles::Side side;

    __device__ Own(const Particles& particles, std::uint32_t i) {
        const Position p = particles.place(i);
        x = prepared(p.x);
        y = prepared(p.y);
        z = prepared(p.z);
        side = particles.side(i, p);
    }
    __device__ Separation separation_to(const FixedGrid& g, const Position& p) const {
        const float dx = separation(x, p.x, g.unit, g.magic_offset), dy = separation(y, p.y, g.unit, g.magic_offset),
                    dz = separation(z, p.z, g.unit, g.magic_offset);
        return {dx, dy, dz, squared_length(dx, dy, dz)};
    }
};

/// Sums over all neighbours in the rows around a cell. F: formulation of the pairs.
template <class F, class Particles, class Rows>
__device__ FluidSums sum_pairs(const FixedGrid& grid, const sph::PairConstants<float>& c, const Particles& particles,
                               const Own<Particles>& a, const Rows& rows, std::uint32_t cell) {
    FluidSums sums;
    rows.for_each(cell, [&](Range range) {
        for (std::uint32_t j = range.begin; j < range.end; ++j) {
            const Position p = particles.place(j);
            const Separation s = a.separation_to(grid, p);
            if (!(s.r2 < c.support2)) continue;
            const sph::PairRates<float> rates =
                sph::pair_rates<F>(c, s.dx, s.dy, s.dz, s.r2, a.side, particles.side(j, p));
            sums.ax += rates.acceleration * s.dx;
            sums.ay += rates.acceleration * s.dy;
            sums.az += rates.acceleration * s.dz;
            sums.density += rates.density_a;
            sums.diffusion += rates.diffusion_a;
            sums.viscous = sph::maximum(sums.viscous, rates.viscous);
            sums.touches_boundary = true; // if these are boundary particles
        }
    });
    sums.scale(sph::pair_scales<typename F::Kernel>(c), a.side.rho);
    return sums;
}

// ---- E: kernels of their own for fluid and boundary particles, or one for all pairs

/// F–F and F–B in one go: data loaded once, rates written once.
template <class F, class Particles, class Rows>
__global__ void paper_fluid_kernel(const __grid_constant__ PaperArgs args, Particles particles, Rows fluid,
                                   Rows boundary) {
    const InteractionArgs& base = args.base;
    const std::uint32_t i = base.step.boundary_count + blockIdx.x * blockDim.x + threadIdx.x;
    const bool valid = base.control->active && i < base.control->alive;
    FluidSums sums;
    float rho = 0;
    if (valid) {
        const Own<Particles> a(particles, i);
        const std::uint32_t cell = base.view.cell[i];
        rho = a.side.rho;
        sums = sum_pairs<Gathered<F>>(base.view.grid, base.pairs.fluid, particles, a, fluid, cell);
        sums.touches_boundary = false;
        sums.add(sum_pairs<GatheredAtWall<F>>(base.view.grid, base.pairs.boundary, particles, a, boundary, cell));
    }
    finish_particle(base, i, valid, rho, sums);
}

/// B–F: the continuity equation alone.
template <class Kernel, class Particles, class Rows>
__global__ void paper_boundary_kernel(const __grid_constant__ PaperArgs args, Particles particles, Rows fluid) {
    const InteractionArgs& base = args.base;
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool valid = base.control->active && i < base.step.boundary_count;
    if (valid) {
        const sph::PairConstants<float>& c = base.boundary_pairs;
        const Own<Particles> a(particles, i);
        float density = 0;
        fluid.for_each(base.view.cell[i], [&](Range range) {
            for (std::uint32_t j = range.begin; j < range.end; ++j) {
                const Position p = particles.place(j);
                const Separation s = a.separation_to(base.view.grid, p);
                if (!(s.r2 < c.support2)) continue;
                density += sph::Continuity<Kernel, sph::PressureForm::squares>::rate(c, s.dx, s.dy, s.dz, s.r2, a.side,
                                                                                     particles.side(j, p));
            }
        });
        base.rates[i] = {0, 0, 0, density};
    }
    raise_boundary_speed(base, i, valid);
}

/// All terms of one kind of pair for all particles of one kind. F–B goes on with what F–F has written.
template <class F, class Particles, class Rows>
__global__ void paper_general_kernel(const __grid_constant__ PaperArgs args, sph::PairKind kind,
                                     const __grid_constant__ sph::PairConstants<float> pairs, Particles particles,
                                     Rows rows) {
    const InteractionArgs& base = args.base;
    const bool of_boundary = kind == sph::PairKind::boundary_fluid;
    const std::uint32_t i = (of_boundary ? 0 : base.step.boundary_count) + blockIdx.x * blockDim.x + threadIdx.x;
    const bool valid = base.control->active && i < (of_boundary ? base.step.boundary_count : base.control->alive);
    FluidSums sums;
    float rho = 0;
    if (valid) {
        const Own<Particles> a(particles, i);
        rho = a.side.rho;
        sums = sum_pairs<Gathered<F>>(base.view.grid, pairs, particles, a, rows, base.view.cell[i]);
    }
    if (of_boundary) {
        if (valid) base.rates[i] = {0, 0, 0, sums.density};
        raise_boundary_speed(base, i, valid);
    } else if (kind == sph::PairKind::fluid_fluid) {
        if (!valid) return;
        base.rates[i] = {sums.ax, sums.ay, sums.az, sums.density};
        args.unfinished[i] = {sums.diffusion, sums.viscous};
    } else {
        if (valid) {
            const RateRecord before = base.rates[i];
            const Unfinished rest = args.unfinished[i];
            sums.diffusion = 0; // none across the wall
            sums.add({before.ax, before.ay, before.az, before.rho, rest.diffusion, rest.viscous, false});
        }
        finish_particle(base, i, valid, rho, sums);
    }
}

// ---- launches

/// B: a block size by occupancy, or 256 threads.
template <class Kernel, class... Arguments>
void launch_blocks(const PaperArgs& args, std::uint32_t threads, cudaStream_t stream, Kernel kernel,
                   const Arguments&... arguments) {
    if (threads == 0) return;
    const int block = args.optimisations.tuned_blocks ? tuned_block_size(kernel) : 256;
    kernel<<<blocks_for(threads, block), block, 0, stream>>>(args, arguments...);
    check_launch("interaction of the particles, as in the paper");
}

template <class F, class Particles, class Rows>
void launch_pairs(const PaperArgs& args, const Rows& fluid, const Rows& boundary, cudaStream_t stream) {
    using enum sph::PairKind;
    const Particles particles(args);
    const std::uint32_t walls = args.base.step.boundary_count, water = args.base.particles - walls;
    if (args.optimisations.specific_kernels) {
        launch_blocks(args, water, stream, paper_fluid_kernel<F, Particles, Rows>, particles, fluid, boundary);
        launch_blocks(args, walls, stream, paper_boundary_kernel<typename F::Kernel, Particles, Rows>, particles,
                      fluid);
    } else {
        const auto general = paper_general_kernel<F, Particles, Rows>;
        launch_blocks(args, water, stream, general, fluid_fluid, args.base.pairs.fluid, particles, fluid);
        launch_blocks(args, water, stream, general, fluid_boundary, args.base.pairs.boundary, particles, boundary);
        launch_blocks(args, walls, stream, general, boundary_fluid, args.base.boundary_pairs, particles, fluid);
    }
}

template <class F, class Particles>
void launch_rows(const PaperArgs& args, cudaStream_t stream) {
    const InteractionView& v = args.base.view;
    if (args.optimisations.stored_ranges)
        launch_pairs<F, Particles>(args, StoredRanges{args.fluid_ranges, rows_around(v.grid)},
                                   StoredRanges{args.boundary_ranges, rows_around(v.grid)}, stream);
    else
        launch_pairs<F, Particles>(args, CellByCell{v.grid, v.fluid}, CellByCell{v.grid, v.boundary}, stream);
}

template <class F>
void launch_arrays(const PaperArgs& args, cudaStream_t stream) {
    if (args.optimisations.packed_arrays)
        launch_rows<F, PackedParticles>(args, stream);
    else
        launch_rows<F, SeparateParticles>(args, stream);
}

template <class Kernel>
void launch_paper_interaction(const PaperArgs& args, cudaStream_t stream) {
    sph::with_formulation_of<Kernel>(args.base.step.run, [&]<class F>(F) {
        // PaperInteraction refuses the others
        if constexpr (!F::general && !F::laminar) launch_arrays<F>(args, stream);
    });
}

/// The kernels for a formulation without density diffusion, with the block sizes of the ladder.
template <class Kernel>
std::vector<GpuKernel> paper_kernels() {
    using F = sph::Formulation<Kernel, sph::DensityDiffusion::none>;
    const auto tuned = [](const char* name, auto kernel) {
        return describe_kernel(name, kernel, tuned_block_size(kernel));
    };
    return {describe_kernel("A, all pairs", paper_general_kernel<F, SeparateParticles, CellByCell>, 256),
            tuned("B, all pairs", paper_general_kernel<F, SeparateParticles, CellByCell>),
            tuned("C, all pairs", paper_general_kernel<F, PackedParticles, CellByCell>),
            tuned("D, all pairs", paper_general_kernel<F, PackedParticles, StoredRanges>),
            tuned("E and F, fluid", paper_fluid_kernel<F, PackedParticles, StoredRanges>),
            tuned("E and F, boundary", paper_boundary_kernel<Kernel, PackedParticles, StoredRanges>)};
}

} // namespace sluice::paper

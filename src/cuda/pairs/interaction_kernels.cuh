// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/block_size.cuh"
#include "cuda/device/check.h"
#include "cuda/pairs/finish_particle.cuh"
#include "cuda/pairs/hit_ring.cuh"

// One thread a particle. Included once per smoothing kernel, so that the two compile side by side.

namespace sluice::cuda {

/// Threads a block of the kernels that search cells.
inline constexpr int search_block = 128;

/// Calls `visit(image, j)` for every particle j that may be near an image of the target, image by image. All lanes of a
/// warp must call this.
template <class Visit>
__device__ void visit_near_images(const InteractionArgs& args, const Target& a, const CellBegins& cells,
                                  std::uint32_t cell, bool searches, void* shared, Visit&& visit) {
    const InteractionView& v = args.view;
    const Units64 here = unwrap(v.grid, a.position(), cell);
    args.period.for_each_shift([&](const Units64& shift) {
        const Units64 there = here + shift;
        const bool is_near = searches && near_domain(v.grid, there, search_reach);
        if (!__any_sync(0xffffffffu, is_near)) return;
        const Target image = a.shifted(shift);
        visit_near(v, image.position(), ImageRows{v.grid, cells}, cell_around(v.grid, there), is_near, shared,
                   [&](std::uint32_t j) { visit(image, j); });
    });
}

/// F–F and F–B: dv/dt and dρ/dt of a fluid particle, one thread each.
template <class F, bool Periodic>
__global__ void __launch_bounds__(search_block) fluid_kernel(const __grid_constant__ InteractionArgs args) {
    __shared__ uint2 rings[search_block / 32 * HitRing<>::bytes_per_warp / sizeof(uint2)];
    const InteractionView& v = args.view;
    const SearchedRows fluid{v.grid, v.fluid}, boundary{v.grid, v.boundary};
    const Control& control = *args.control;
    if (!control.active) return;
    const std::uint32_t i = args.own_first + blockIdx.x * search_block + threadIdx.x;
    const bool valid = i < control.alive;
    const std::uint32_t own = valid ? i : args.own_first, cell = v.cell[own];
    const Target a = load_target(v, own);
    FluidSums sums;
    visit_near(v, a.position(), fluid, cell, valid, rings,
               [&](std::uint32_t j) { add_pair<Gathered<F>, true>(v, args.pairs.fluid, a, j, sums); });
    if constexpr (Periodic)
        visit_near_images(args, a, v.fluid, cell, valid, rings, [&](const Target& image, std::uint32_t j) {
            add_pair<Gathered<F>, true>(v, args.pairs.fluid, image, j, sums);
        });
    sums.scale(sph::pair_scales<typename F::Kernel>(args.pairs.fluid), a.side.rho);
    const bool near_wall = valid && v.near_boundary[cell];
    if (__any_sync(0xffffffffu, near_wall)) {
        FluidSums wall;
        visit_near(v, a.position(), boundary, cell, near_wall, rings, [&](std::uint32_t j) {
            const float r2 = add_pair<GatheredAtWall<F>, true>(v, args.pairs.boundary, a, j, wall);
            wall.touches_boundary |= r2 < args.pairs.boundary.support2;
        });
        if constexpr (Periodic)
            visit_near_images(args, a, v.boundary, cell, near_wall, rings, [&](const Target& image, std::uint32_t j) {
                const float r2 = add_pair<GatheredAtWall<F>, true>(v, args.pairs.boundary, image, j, wall);
                wall.touches_boundary |= r2 < args.pairs.boundary.support2;
            });
        wall.scale(sph::pair_scales<typename F::Kernel>(args.pairs.boundary), a.side.rho);
        sums.add(wall);
    }
    finish_particle<true, F::general>(args, i, valid, a.side.rho, sums);
}

/// B–F: dρ/dt of a boundary particle, one thread each.
template <class Continuity, bool Periodic>
__global__ void __launch_bounds__(search_block) boundary_kernel(const __grid_constant__ InteractionArgs args) {
    __shared__ uint2 rings[search_block / 32 * HitRing<>::bytes_per_warp / sizeof(uint2)];
    const InteractionView& v = args.view;
    if (!args.control->active) return;
    const std::uint32_t i = args.own_walls.begin + blockIdx.x * search_block + threadIdx.x;
    const bool valid = i < args.own_walls.end;
    const std::uint32_t own = valid ? i : args.own_walls.begin;
    const Target a = load_target(v, own);
    float density = 0;
    visit_near(v, a.position(), SearchedRows{v.grid, v.fluid}, v.cell[own], valid, rings,
               [&](std::uint32_t j) { density += boundary_pair<Continuity>(v, args.boundary_pairs, a, j); });
    if constexpr (Periodic)
        visit_near_images(args, a, v.fluid, v.cell[own], valid, rings, [&](const Target& image, std::uint32_t j) {
            density += boundary_pair<Continuity>(v, args.boundary_pairs, image, j);
        });
    if (valid) args.rates[i] = {0, 0, 0, density};
    raise_boundary_speed(args, i, valid);
}

template <class F, bool Periodic>
void launch_fluid(const InteractionArgs& args, cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const std::uint32_t count = args.particles - args.own_first;
    fluid_kernel<F, Periodic><<<blocks_for(count, search_block), search_block, 0, stream>>>(args);
    check_launch("interaction of the fluid particles");
}

/// Calls `use(formulation)` with that of the fluid's pairs. `Whole`: of all rates, else of `args.part`.
template <class Kernel, bool Whole, class Use>
void with_pairs_of(const InteractionArgs& args, Use&& use) {
    if constexpr (Whole)
        sph::with_formulation_of<Kernel>(args.step.run, use);
    else
        sph::with_formulation_of_part<Kernel>(args.step.run, args.part, use);
}

template <class Kernel, bool Periodic, bool Whole>
void launch_interaction(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side) {
    if (args.visits_boundary()) {
        sph::with_continuity<Kernel>(args.step.run, [&]<class C>(C) {
            boundary_kernel<C, Periodic>
                <<<blocks_for(args.own_walls.end - args.own_walls.begin, search_block), search_block, 0, side>>>(args);
        });
        check_launch("interaction of the boundary particles");
    }
    with_pairs_of<Kernel, Whole>(args, [&]<class F>(F) { launch_fluid<F, Periodic>(args, stream); });
}

/// The kernels for a formulation without density diffusion.
template <class Kernel>
std::vector<GpuKernel> search_kernels() {
    using F = sph::Formulation<Kernel, sph::DensityDiffusion::none>;
    return {describe_kernel("FastCells, fluid", fluid_kernel<F, false>, search_block),
            describe_kernel("FastCells, boundary",
                            boundary_kernel<sph::Continuity<Kernel, sph::PressureForm::squares>, false>, search_block)};
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/interaction_kernels.cuh"
#include "cuda/neighbour_lists.h"

namespace sluice::cuda {

/// Adds a listed neighbour without asking first whether it is near: beyond the support every term of a pair is zero,
/// and lanes that wait for others gain nothing by skipping it.
template <class F>
SLUICE_INLINE void add_listed(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a, std::uint32_t j, FluidSums& sums) {
    const Position p = load16(v.position + j);
    const Flow f = load16(v.flow + j);
    const float dx = separation(a.x, p.x, v.grid.unit, v.grid.magic_offset);
    const float dy = separation(a.y, p.y, v.grid.unit, v.grid.magic_offset);
    const float dz = separation(a.z, p.z, v.grid.unit, v.grid.magic_offset);
    const float r2 = squared_length(dx, dy, dz);
    const sph::PairRates<float> rates = sph::pair_rates<F>(c, dx, dy, dz, r2, a.side, side_of(f, p.pressure_term));
    sums.ax += rates.acceleration * dx;
    sums.ay += rates.acceleration * dy;
    sums.az += rates.acceleration * dz;
    sums.density += rates.density;
    sums.diffusion += rates.diffusion_a;
    if (r2 < c.support2) sums.viscous = sph::maximum(sums.viscous, rates.viscous);
}

template <class F>
SLUICE_INLINE void sum_listed(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a, const uint4* entries, int groups, FluidSums& sums) {
#ifdef __CUDA_ARCH__
    uint4 next = __ldcs(entries);
    for (int g = 1; g <= groups; ++g) {
        const uint4 four = next;
        if (g < groups) next = __ldcs(entries + g * 32);
        add_listed<Gathered<F>>(v, c, a, four.x, sums);
        add_listed<Gathered<F>>(v, c, a, four.y, sums);
        add_listed<Gathered<F>>(v, c, a, four.z, sums);
        add_listed<Gathered<F>>(v, c, a, four.w, sums);
    }
#endif
}

/// F–F through the lists, or through the cells of the last build for tiles without lists; F–B through the cells of the
/// boundary around the particle's present position.
template <class F>
__global__ void __launch_bounds__(128, 8) listed_fluid_kernel(const __grid_constant__ InteractionArgs args, ListView lists) {
    const Control& control = *args.control;
    const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x, i = args.step.boundary_count + k;
    float force2 = 0, speed = 0;
    if (control.active && i < control.alive) {
        const InteractionView& v = args.view;
        const Target a = load_target(v, i);
        FluidSums sums;
        const std::uint32_t tile = k / 32, cell = v.cell[i];
        const std::uint16_t groups = lists.groups[tile];
        if (groups != ListView::overflowing) {
            sum_listed<F>(v, args.pairs.fluid, a, lists.entries + std::size_t(tile) * lists.tile_groups * 32 + k % 32, groups, sums);
            sums.scale(sph::pair_scales<typename F::Kernel>(args.pairs.fluid), a.side.rho);
        } else
            sums = sum_fluid<F>(v, args.pairs.fluid, a, SearchedRows{v.grid, v.fluid}, cell);
        if (v.near_boundary[cell])
            sums.add(sum_wall<F>(v, args.pairs.boundary, a, SearchedRows{v.grid, v.boundary}, cell_of(v.grid, unwrap(v.grid, a.position(), cell))));
        const RateRecord rates = fluid_rates(args.step, sums);
        args.rates[i] = rates;
        force2 = rates.ax * rates.ax + rates.ay * rates.ay + rates.az * rates.az;
        speed = args.step.eos.sound_speed(a.side.rho) + sums.viscous;
    }
    raise_maxima(*args.control, force2, speed);
}

/// B–F through the cells of the last build: fluid has moved since, so cells further away count once it may have come
/// from there.
template <class Kernel>
__global__ void listed_boundary_kernel(const __grid_constant__ InteractionArgs args, float one_cell_travel) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    float speed = 0;
    if (args.control->active && i < args.step.boundary_count) {
        SearchedRows fluid{args.view.grid, args.view.fluid};
        if (__uint_as_float(args.control->travel_bits) > one_cell_travel) fluid.grid.reach = 2;
        args.rates[i] = {0, 0, 0, sum_boundary_particle<Kernel>(args.view, args.boundary_pairs, fluid, i)};
        if (args.step.run.dt_all_particles) speed = args.step.eos.sound_speed(args.view.flow[i].rho);
    }
    raise_maxima(*args.control, 0, speed);
}

template <class F>
void launch_listed_fluid(const InteractionArgs& args, const ListArgs& lists, cudaStream_t stream) {
    const std::uint32_t fluid = args.particles - args.step.boundary_count;
    if (fluid == 0) return;
    listed_fluid_kernel<F><<<blocks_for(fluid, 128), 128, 0, stream>>>(args, lists.lists);
    check_launch("interaction of the fluid particles");
}

template <class Kernel>
void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, cudaStream_t stream, cudaStream_t side) {
    using sph::DensityDiffusion;
    const std::uint32_t boundary = args.step.boundary_count;
    if (boundary > 0) {
        listed_boundary_kernel<Kernel><<<blocks_for(boundary, 128), 128, 0, side>>>(args, 0.9999f * (lists.cell_side - lists.support));
        check_launch("interaction of the boundary particles");
    }
    switch (args.step.run.diffusion) {
    case DensityDiffusion::none: launch_listed_fluid<sph::Formulation<Kernel, DensityDiffusion::none>>(args, lists, stream); break;
    case DensityDiffusion::molteni: launch_listed_fluid<sph::Formulation<Kernel, DensityDiffusion::molteni>>(args, lists, stream); break;
    case DensityDiffusion::fourtakas:
    case DensityDiffusion::fourtakas_full: launch_listed_fluid<sph::Formulation<Kernel, DensityDiffusion::fourtakas>>(args, lists, stream); break;
    }
}

} // namespace sluice::cuda

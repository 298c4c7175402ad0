// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/block_size.cuh"
#include "cuda/check.h"
#include "cuda/interaction.h"
#include "cuda/reduce.cuh"

// One thread a particle. Included once per smoothing kernel, so that the two compile side by side.

namespace sluice::cuda {

template <class F, class Rows>
__global__ void fluid_kernel(const __grid_constant__ InteractionArgs args, Rows fluid, Rows boundary) {
    const Control& control = *args.control;
    const std::uint32_t i = args.step.boundary_count + blockIdx.x * blockDim.x + threadIdx.x;
    float force2 = 0, speed = 0;
    if (control.active && i < control.alive) {
        const FluidSums sums = sum_fluid_particle<F>(args.view, args.pairs, fluid, boundary, i);
        const RateRecord rates = fluid_rates(args.step, sums);
        args.rates[i] = rates;
        force2 = rates.ax * rates.ax + rates.ay * rates.ay + rates.az * rates.az;
        speed = args.step.eos.sound_speed(args.view.flow[i].rho) + sums.viscous;
    }
    raise_maxima(*args.control, force2, speed);
}

template <class Kernel, class Rows>
__global__ void boundary_kernel(const __grid_constant__ InteractionArgs args, Rows fluid) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    float speed = 0;
    if (args.control->active && i < args.step.boundary_count) {
        args.rates[i] = {0, 0, 0, sum_boundary_particle<Kernel>(args.view, args.boundary_pairs, fluid, i)};
        if (args.step.run.dt_all_particles) speed = args.step.eos.sound_speed(args.view.flow[i].rho);
    }
    raise_maxima(*args.control, 0, speed);
}

template <class Kernel, class Rows>
void launch_boundary(const InteractionArgs& args, Rows fluid, cudaStream_t stream) {
    const std::uint32_t count = args.step.boundary_count;
    if (count == 0) return;
    const int block = args.tuned_blocks ? tuned_block_size(boundary_kernel<Kernel, Rows>) : 256;
    boundary_kernel<Kernel><<<blocks_for(count, block), block, 0, stream>>>(args, fluid);
    check_launch("interaction of the boundary particles");
}

template <class F, class Rows>
void launch_fluid(const InteractionArgs& args, Rows fluid, Rows boundary, cudaStream_t stream) {
    const std::uint32_t count = args.particles - args.step.boundary_count;
    if (count == 0) return;
    const int block = args.tuned_blocks ? tuned_block_size(fluid_kernel<F, Rows>) : 256;
    fluid_kernel<F><<<blocks_for(count, block), block, 0, stream>>>(args, fluid, boundary);
    check_launch("interaction of the fluid particles");
}

template <class Kernel, class Rows>
void launch_with_rows(const InteractionArgs& args, Rows fluid, Rows boundary, cudaStream_t stream, cudaStream_t side) {
    launch_boundary<Kernel>(args, fluid, side);
    using sph::DensityDiffusion;
    switch (args.step.run.diffusion) {
    case DensityDiffusion::none: launch_fluid<sph::Formulation<Kernel, DensityDiffusion::none>>(args, fluid, boundary, stream); break;
    case DensityDiffusion::molteni: launch_fluid<sph::Formulation<Kernel, DensityDiffusion::molteni>>(args, fluid, boundary, stream); break;
    case DensityDiffusion::fourtakas:
    case DensityDiffusion::fourtakas_full:
        launch_fluid<sph::Formulation<Kernel, DensityDiffusion::fourtakas>>(args, fluid, boundary, stream);
        break;
    }
}

template <class Kernel>
void launch_interaction(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side) {
    const InteractionView& v = args.view;
    if (args.stored_ranges)
        launch_with_rows<Kernel>(args, StoredRows{v.fluid_ranges, v.grid.reach}, StoredRows{v.boundary_ranges, v.grid.reach}, stream, side);
    else
        launch_with_rows<Kernel>(args, SearchedRows{v.grid, v.fluid}, SearchedRows{v.grid, v.boundary}, stream, side);
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/block_size.cuh"
#include "cuda/check.h"
#include "cuda/interaction.h"
#include "cuda/reduce.cuh"

// One thread a particle. Included once per smoothing kernel, so that the two compile side by side.

namespace sluice::cuda {

/// Neighbours that a lane has found but not yet visited: its column of shared memory.
struct HitQueue {
    static constexpr int capacity = 36, tested_at_once = 16;
    static constexpr int bytes_per_warp = capacity * 32 * 4;

    unsigned first, next; ///< addresses in shared memory

    __device__ explicit HitQueue(const void* shared)
        : first(unsigned(__cvta_generic_to_shared(shared)) + threadIdx.x / 32 * bytes_per_warp + threadIdx.x % 32 * 4), next(first) {}
    /// Appends j if r2 < support2 and j < end. Predicated by hand: a branch would split the warp at every candidate.
    __device__ void append_if_near(float r2, float support2, std::uint32_t j, std::uint32_t end) {
        asm volatile("{\n\t"
                     ".reg .pred near;\n\t"
                     "setp.lt.f32 near, %1, %2;\n\t"
                     "setp.lt.and.u32 near, %3, %4, near;\n\t"
                     "@near st.shared.u32 [%0], %3;\n\t"
                     "@near add.u32 %0, %0, 128;\n\t"
                     "}"
                     : "+r"(next)
                     : "f"(r2), "f"(support2), "r"(j), "r"(end)); // no memory clobber: loads of candidates may overtake it
    }
    __device__ bool is_nearly_full() const { return next - first > (capacity - tested_at_once) * 128; }
    template <class Use>
    __device__ void empty(Use&& use) {
        for (unsigned at = first; at != next; at += 128) {
            std::uint32_t j;
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(j) : "r"(at));
            use(j);
        }
        next = first;
    }
};

/// Sums over the fluid neighbours of a warp's particles, one each. Neighbours are queued and visited when a queue is
/// nearly full: whatever rows they come from, the lanes then compute together. The order in which a particle's pairs
/// are summed does not depend on the other lanes.
template <class F, class Rows>
__device__ FluidSums sum_fluid_queued(const InteractionView& v, const sph::PairConstants<float>& c, const Target& a, const Rows& rows,
                                      std::uint32_t cell, bool valid, HitQueue queue) {
    FluidSums sums;
    const auto visit = [&](std::uint32_t j) { add_pair<Gathered<F>, false>(v, c, a, j, sums); };
    rows.for_each(cell, a.reach(v.grid), [&](Range range) {
        if (!valid) range.end = range.begin;
        for (std::uint32_t first = range.begin; __any_sync(0xffffffffu, first < range.end); first += HitQueue::tested_at_once) {
            // four at a time, past the end of the range if need be: the arrays of positions have room for that
            for (std::uint32_t j = first; j < min(first + HitQueue::tested_at_once, range.end); j += 4) {
                Position p[4];
#pragma unroll
                for (int k = 0; k < 4; ++k) p[k] = load16(v.position + j + k);
#pragma unroll
                for (int k = 0; k < 4; ++k) queue.append_if_near(separation_from(v, a, p[k]).r2, c.support2, j + k, range.end);
            }
            if (__any_sync(0xffffffffu, queue.is_nearly_full())) queue.empty(visit);
        }
    });
    queue.empty(visit);
    sums.scale(sph::pair_scales<typename F::Kernel>(c), a.side.rho);
    return sums;
}

template <class F, class Rows>
__global__ void __launch_bounds__(128) fluid_kernel(const __grid_constant__ InteractionArgs args, Rows fluid, Rows boundary) {
    extern __shared__ __align__(16) char shared[];
    const Control& control = *args.control;
    if (!control.active) return;
    const std::uint32_t i = args.step.boundary_count + blockIdx.x * blockDim.x + threadIdx.x;
    const bool valid = i < control.alive;
    const std::uint32_t own = valid ? i : args.step.boundary_count, cell = args.view.cell[own];
    const Target a = load_target(args.view, own);
    FluidSums sums = sum_fluid_queued<F>(args.view, args.pairs.fluid, a, fluid, cell, valid, HitQueue(shared));
    float force2 = 0, speed = 0;
    if (valid) {
        if (args.view.near_boundary[cell]) sums.add(sum_wall<F>(args.view, args.pairs.boundary, a, boundary, cell));
        const RateRecord rates = fluid_rates(args.step, sums);
        args.rates[i] = rates;
        force2 = rates.ax * rates.ax + rates.ay * rates.ay + rates.az * rates.az;
        speed = args.step.eos.sound_speed(a.side.rho) + sums.viscous;
    }
    raise_maxima(*args.control, force2, speed);
}

/// `Lanes` lanes share a boundary particle and take its candidates in turn: where rows are long, that keeps them together.
template <class Kernel, int Lanes, class Rows>
__device__ void interact_boundary(const InteractionArgs& args, const Rows& fluid) {
    const std::uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / Lanes;
    const bool valid = args.control->active && i < args.step.boundary_count;
    float density = 0;
    if (valid) density = sum_boundary_particle<Kernel>(args.view, args.boundary_pairs, fluid, i, threadIdx.x % Lanes, Lanes);
#pragma unroll
    for (int offset = Lanes / 2; offset > 0; offset /= 2) density += __shfl_xor_sync(0xffffffffu, density, offset);
    if (valid && threadIdx.x % Lanes == 0) args.rates[i] = {0, 0, 0, density};
    if (args.step.run.dt_all_particles) raise_maxima(*args.control, 0, valid ? args.step.eos.sound_speed(args.view.flow[i].rho) : 0);
}

template <class Kernel, class Rows>
__global__ void boundary_kernel(const __grid_constant__ InteractionArgs args, Rows fluid) {
    interact_boundary<Kernel, 1>(args, fluid);
}

template <class Kernel, class Rows>
void launch_boundary(const InteractionArgs& args, Rows fluid, cudaStream_t stream) {
    const std::uint32_t threads = args.step.boundary_count;
    if (threads == 0) return;
    const int block = args.tuned_blocks ? tuned_block_size(boundary_kernel<Kernel, Rows>) : 256;
    boundary_kernel<Kernel><<<blocks_for(threads, block), block, 0, stream>>>(args, fluid);
    check_launch("interaction of the boundary particles");
}

template <class F, class Rows>
void launch_fluid(const InteractionArgs& args, Rows fluid, Rows boundary, cudaStream_t stream) {
    const std::uint32_t count = args.particles - args.step.boundary_count;
    if (count == 0) return;
    constexpr int block = 128;
    fluid_kernel<F><<<blocks_for(count, block), block, block / 32 * HitQueue::bytes_per_warp, stream>>>(args, fluid, boundary);
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

// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/block_size.cuh"
#include "cuda/device/launch_ahead.cuh"
#include "cuda/passes/surface_line.cuh"
#include "cuda/passes/wave_absorption.h"
#include "scheme/absorption_step.h"

namespace sluice::cuda {

namespace {

constexpr int block = 128;

/// Check point k of gauge `gauge`; false if it has not so many.
__device__ bool find_check_point(const RigidView& rigid, unsigned gauge, std::uint32_t k, double time, Vec3d& place) {
    const WaveAbsorber& absorber = rigid.absorbers[gauge];
    const sph::CheckPoints points = sph::gauge_points(absorber);
    if (k >= std::uint32_t(points.count())) return false;
    place = gauge_foot(absorber, rigid.motions.samples, rigid.motions.absorbers[gauge], time);
    place.z += points.at(int(k));
    return true;
}

/// A warp a check point, a row of blocks a gauge.
template <class Kernel>
__global__ void fraction_kernel(const __grid_constant__ InteractionArgs args, RigidView rigid, float one_cell_travel) {
    wait_for_kernel_before();
    const Control& control = *args.control;
    if (!control.active) return;
    const std::uint32_t thread = blockIdx.x * block + threadIdx.x, k = thread / warp;
    Vec3d place;
    if (!find_check_point(rigid, blockIdx.y, k, control.time, place)) return;
    if (!args.answers_for(units_of(args.view.grid, place))) return;
    const double sum = fraction_at<Kernel>(args, place, one_cell_travel);
    if (thread % warp == 0) rigid.fractions[blockIdx.y * rigid.most_check_points + k] = sum;
}

/// A thread a check point, a row of blocks a gauge.
__global__ void take_fractions_kernel(const __grid_constant__ InteractionArgs args, RigidView rigid,
                                      FoundFractions found) {
    const Control& control = *args.control;
    if (!control.active) return;
    const std::uint32_t k = blockIdx.x * block + threadIdx.x, at = blockIdx.y * rigid.most_check_points + k;
    Vec3d place;
    if (!find_check_point(rigid, blockIdx.y, k, control.time, place)) return;
    const FixedGrid& grid = args.view.grid;
    if (found.rows.contains(row_of(grid, units_of(grid, place)))) rigid.fractions[at] = found.fractions[at];
}

/// A block an absorbing piston.
__global__ void absorb_kernel(const Control* control, RigidView rigid, AbsorberState* states) {
    wait_for_kernel_before();
    __shared__ int first;
    if (!control->active) return;
    const WaveAbsorber& absorber = rigid.absorbers[blockIdx.x];
    const double surface = surface_of(sph::gauge_points(absorber), absorber.limit,
                                      rigid.fractions + blockIdx.x * rigid.most_check_points, first);
    if (threadIdx.x == 0)
        states[blockIdx.x] = absorbed(absorber, rigid.motions.samples, states[blockIdx.x], surface, control->time);
}

} // namespace

void look_at_gauges(const InteractionArgs& args, const RigidView& rigid, float one_cell_travel, cudaStream_t stream) {
    if (rigid.absorber_count == 0) return;
    const dim3 blocks(blocks_for(std::uint64_t(rigid.most_check_points) * warp, block), unsigned(rigid.absorber_count));
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) {
        launch_ahead(fraction_kernel<Kernel>, blocks, block, stream, "gauges before the pistons", args, rigid,
                     one_cell_travel);
    });
}

void take_fractions(const InteractionArgs& args, const RigidView& rigid, const FoundFractions& found,
                    cudaStream_t stream) {
    const dim3 blocks(blocks_for(std::uint64_t(rigid.most_check_points), block), unsigned(rigid.absorber_count));
    take_fractions_kernel<<<blocks, block, 0, stream>>>(args, rigid, found);
    check_launch("gauges that other GPUs look at");
}

void absorb_waves(const Control* control, const RigidView& rigid, cudaStream_t stream) {
    if (rigid.absorber_count == 0) return;
    launch_ahead(absorb_kernel, unsigned(rigid.absorber_count), block, stream, "absorption of waves", control, rigid,
                 rigid.absorber);
}

} // namespace sluice::cuda

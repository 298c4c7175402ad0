// SPDX-License-Identifier: Apache-2.0
#include "cuda/block_size.cuh"
#include "cuda/surface_line.cuh"
#include "cuda/wave_absorption.h"
#include "scheme/wave_absorption.h"

namespace sluice::cuda {

namespace {

constexpr int block = 128;

/// A warp a check point, a row of blocks a gauge.
template <class Kernel>
__global__ void fraction_kernel(const __grid_constant__ InteractionArgs args, RigidView rigid, float one_cell_travel) {
    const Control& control = *args.control;
    if (!control.active) return;
    const WaveAbsorber& absorber = rigid.absorbers[blockIdx.y];
    const sph::CheckPoints points = sph::gauge_points(absorber);
    const std::uint32_t thread = blockIdx.x * block + threadIdx.x, k = thread / warp;
    if (k >= std::uint32_t(points.count())) return;
    Vec3d place = gauge_foot(absorber, rigid.motions.samples, rigid.motions.absorbers[blockIdx.y], control.time);
    place.z += points.at(int(k));
    const double sum = fraction_at<Kernel>(args, place, one_cell_travel);
    if (thread % warp == 0) rigid.fractions[blockIdx.y * rigid.most_check_points + k] = sum;
}

/// A block an absorbing piston.
__global__ void absorb_kernel(const Control* control, RigidView rigid, AbsorberState* states) {
    __shared__ int first;
    if (!control->active) return;
    const WaveAbsorber& absorber = rigid.absorbers[blockIdx.x];
    const double surface = surface_of(sph::gauge_points(absorber), absorber.limit,
                                      rigid.fractions + blockIdx.x * rigid.most_check_points, first);
    if (threadIdx.x == 0)
        states[blockIdx.x] = absorbed(absorber, rigid.motions.samples, states[blockIdx.x], surface, control->time);
}

} // namespace

void absorb_waves(const InteractionArgs& args, const RigidView& rigid, float one_cell_travel, cudaStream_t stream) {
    if (rigid.absorber_count == 0) return;
    const dim3 blocks(blocks_for(std::uint64_t(rigid.most_check_points) * warp, block), unsigned(rigid.absorber_count));
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) {
        fraction_kernel<Kernel><<<blocks, block, 0, stream>>>(args, rigid, one_cell_travel);
    });
    check_launch("gauges before the pistons");
    absorb_kernel<<<unsigned(rigid.absorber_count), block, 0, stream>>>(args.control, rigid, rigid.absorber);
    check_launch("absorption of waves");
}

} // namespace sluice::cuda

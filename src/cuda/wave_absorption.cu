// SPDX-License-Identifier: Apache-2.0
#include "cuda/block_size.cuh"
#include "cuda/image_loops.h"
#include "cuda/wave_absorption.h"
#include "scheme/wave_absorption.h"

namespace sluice::cuda {

namespace {

constexpr int block = 128;
constexpr unsigned lanes = 32;
constexpr unsigned all_lanes_of_warp = 0xffffffffu;

/// The share of this lane in φ at a place: every so many candidates.
template <class Kernel>
__device__ double fraction_share(const InteractionArgs& args, const Units64& place, int reach, std::uint32_t lane) {
    const InteractionView& v = args.view;
    const sph::Constants& c = args.step.run;
    const double scale = c.mass_fluid * Kernel::normalisation(c.h, c.two_d), support2 = 4 * c.h * c.h;
    const Target at{prepared(std::int32_t(std::uint32_t(place.x))),
                    prepared(std::int32_t(std::uint32_t(place.y))),
                    prepared(std::int32_t(std::uint32_t(place.z))),
                    {}};
    double sum = 0;
    BoxRows{v.grid, v.fluid}.for_each(
        box_around(cell_around(v.grid, place), reach), at.reach(v.grid), [&](Range range) {
            for (std::uint32_t j = range.begin + lane; j < range.end; j += lanes) {
                const Separation s = separation_from(v, at, load16(v.position + j));
                const double dy = c.two_d ? 0 : double(s.dy), r2 = double(s.dx) * s.dx + dy * dy + double(s.dz) * s.dz;
                if (r2 < support2) sum += sph::fluid_fraction<Kernel>(scale, double(load16(v.flow + j).rho), r2, c.h);
            }
        });
    return sum;
}

/// A warp a check point, a row of blocks a gauge.
template <class Kernel>
__global__ void fraction_kernel(const __grid_constant__ InteractionArgs args, RigidView rigid, float one_cell_travel) {
    const Control& control = *args.control;
    if (!control.active) return;
    const WaveAbsorber& absorber = rigid.absorbers[blockIdx.y];
    const sph::CheckPoints points = sph::gauge_points(absorber);
    const std::uint32_t thread = blockIdx.x * block + threadIdx.x, k = thread / lanes, lane = thread % lanes;
    if (k >= std::uint32_t(points.count())) return;
    Vec3d place = gauge_foot(absorber, rigid.motions.samples, rigid.motions.absorbers[blockIdx.y], control.time);
    place.z += points.at(int(k));
    const int reach = __uint_as_float(control.travel_bits) > one_cell_travel ? 2 : args.view.grid.reach;
    const Units64 here = units_of(args.view.grid, place);
    double sum = fraction_share<Kernel>(args, here, reach, lane);
    args.period.for_each_shift(
        [&](const Units64& shift) { sum += fraction_share<Kernel>(args, here + shift, reach, lane); });
#pragma unroll
    for (unsigned offset = lanes / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(all_lanes_of_warp, sum, offset);
    if (lane == 0) rigid.fractions[blockIdx.y * rigid.most_check_points + k] = sum;
}

/// How far up the surface is by the fractions of all check points; a block finds it together.
__device__ double surface_of(const sph::CheckPoints& points, double limit, const double* fraction, int& first) {
    const int count = points.count();
    if (threadIdx.x == 0) first = count;
    __syncthreads();
    for (int k = int(threadIdx.x) + 1; k < count; k += block)
        if (sph::leaves_fluid(fraction[k - 1], fraction[k], limit)) atomicMin(&first, k);
    __syncthreads();
    if (first < count) return sph::surface_between(points, first, fraction[first - 1], fraction[first], limit);
    return fraction[count - 1] >= limit ? points.length : -1;
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
    const dim3 blocks(blocks_for(std::uint64_t(rigid.most_check_points) * lanes, block),
                      unsigned(rigid.absorber_count));
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) {
        fraction_kernel<Kernel><<<blocks, block, 0, stream>>>(args, rigid, one_cell_travel);
    });
    check_launch("gauges before the pistons");
    absorb_kernel<<<unsigned(rigid.absorber_count), block, 0, stream>>>(args.control, rigid, rigid.absorber);
    check_launch("absorption of waves");
}

} // namespace sluice::cuda

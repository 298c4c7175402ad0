// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/reduce.cuh"
#include "cuda/pairs/image_loops.h"
#include "cuda/pairs/interaction.h"
#include "physics/sph/free_surface.h"

// The free surface on a vertical line of check points: warps find the fraction of fluid at each of them, and then a
// block where the line leaves the fluid.

namespace sluice::cuda {

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
            for (std::uint32_t j = range.begin + lane; j < range.end; j += warp) {
                const Separation s = separation_from(v, at, load16(v.position + j));
                const double dy = c.two_d ? 0 : double(s.dy), r2 = double(s.dx) * s.dx + dy * dy + double(s.dz) * s.dz;
                if (r2 < support2) sum += sph::fluid_fraction<Kernel>(scale, double(load16(v.flow + j).rho), r2, c.h);
            }
        });
    return sum;
}

/// φ at a place (m, from the domain's corner), which the lanes of a warp find together; lane 0 has it.
/// `one_cell_travel` as for react_on_bodies().
template <class Kernel>
__device__ double fraction_at(const InteractionArgs& args, const Vec3d& place, float one_cell_travel) {
    const std::uint32_t lane = threadIdx.x % warp;
    const int reach = __uint_as_float(args.control->travel_bits) > one_cell_travel ? 2 : args.view.grid.reach;
    const Units64 here = units_of(args.view.grid, place);
    double sum = fraction_share<Kernel>(args, here, reach, lane);
    args.period.for_each_shift(
        [&](const Units64& shift) { sum += fraction_share<Kernel>(args, here + shift, reach, lane); });
#pragma unroll
    for (unsigned offset = warp / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(all_lanes, sum, offset);
    return sum;
}

/// How far up the surface is by the fractions of all check points; −1: there is none. A block finds it together;
/// `first` is in its shared memory.
__device__ inline double surface_of(const sph::CheckPoints& points, double limit, const double* fraction, int& first) {
    const int count = points.count();
    if (threadIdx.x == 0) first = count;
    __syncthreads();
    for (int k = int(threadIdx.x) + 1; k < count; k += int(blockDim.x))
        if (sph::leaves_fluid(fraction[k - 1], fraction[k], limit)) atomicMin(&first, k);
    __syncthreads();
    if (first < count) return sph::surface_between(points, first, fraction[first - 1], fraction[first], limit);
    return fraction[count - 1] >= limit ? points.length : -1;
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sluice::cuda {

/// The values that the devices of a run all-reduce: all of them are maxima.
struct alignas(32) Maxima {
    unsigned force2_bits, speed_bits;
    unsigned spread_bits, travel_bits, wall_travel_bits, body_spread_bits;
    unsigned rebuild;
    unsigned viscosity_bits;
};

/// The values of all devices, for a kernel that reduces them.
struct AllMaxima {
    const Maxima* of_devices = nullptr;
    int devices = 0;
};

#ifdef __CUDACC__
/// The maxima over all devices, computed by a whole warp; all lanes get them.
__device__ inline Maxima greatest_of_all(const AllMaxima& maxima) {
    const auto greatest = [](unsigned bits) {
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2) {
            const unsigned other = __shfl_xor_sync(0xffffffffu, bits, offset);
            bits = other > bits ? other : bits;
        }
        return bits;
    };
    Maxima all{};
    if (int(threadIdx.x) < maxima.devices) {
        const volatile Maxima& own = maxima.of_devices[threadIdx.x];
        all.force2_bits = own.force2_bits;
        all.speed_bits = own.speed_bits;
        all.spread_bits = own.spread_bits;
        all.travel_bits = own.travel_bits;
        all.wall_travel_bits = own.wall_travel_bits;
        all.body_spread_bits = own.body_spread_bits;
        all.rebuild = own.rebuild;
        all.viscosity_bits = own.viscosity_bits;
    }
    all.force2_bits = greatest(all.force2_bits);
    all.speed_bits = greatest(all.speed_bits);
    all.spread_bits = greatest(all.spread_bits);
    all.travel_bits = greatest(all.travel_bits);
    all.wall_travel_bits = greatest(all.wall_travel_bits);
    all.body_spread_bits = greatest(all.body_spread_bits);
    all.rebuild = greatest(all.rebuild);
    all.viscosity_bits = greatest(all.viscosity_bits);
    return all;
}
#endif

} // namespace sluice::cuda

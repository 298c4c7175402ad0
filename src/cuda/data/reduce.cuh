// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/control.h"
#include <cuda_runtime.h>

namespace sluice::cuda {

inline constexpr int warp = 32;
inline constexpr unsigned all_lanes = 0xffffffffu;

template <class Better>
__device__ inline int warp_best(int value, Better better) {
#pragma unroll
    for (int offset = warp / 2; offset > 0; offset /= 2)
        value = better(value, __shfl_xor_sync(all_lanes, value, offset));
    return value;
}
__device__ inline int warp_min(int value) {
    return warp_best(value, [](int a, int b) { return min(a, b); });
}
__device__ inline int warp_max(int value) {
    return warp_best(value, [](int a, int b) { return max(a, b); });
}

/// Largest value of a warp, by bits: non-negative floats order like their bits, and NaN comes out on top.
__device__ inline unsigned warp_maximum_bits(unsigned bits) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) {
        const unsigned other = __shfl_xor_sync(0xffffffffu, bits, offset);
        bits = other > bits ? other : bits;
    }
    return bits;
}

/// Raises a maximum in memory; the order in which warps arrive does not matter.
__device__ inline void raise_maximum(unsigned* maximum, float value) {
    const unsigned bits = warp_maximum_bits(__float_as_uint(value));
    if ((threadIdx.x & 31) == 0 && bits > *reinterpret_cast<volatile unsigned*>(maximum)) atomicMax(maximum, bits);
}

__device__ inline void raise_maxima(Control& control, float force2, float speed) {
    raise_maximum(&control.force2_bits, force2);
    raise_maximum(&control.speed_bits, speed);
}

/// Adds a count to a sum in memory (model/work_counts.h); by any thread.
__device__ inline void add_count(std::int64_t* sum, std::int64_t count) {
    atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(count));
}

/// Adds the counts of all lanes of a warp to a sum in memory (model/work_counts.h). By all lanes.
__device__ inline void add_counts(std::int64_t* sum, std::int64_t count) {
    if (!__any_sync(all_lanes, count != 0)) return;
    auto total = static_cast<unsigned long long>(count);
#pragma unroll
    for (int offset = warp / 2; offset > 0; offset /= 2) total += __shfl_xor_sync(all_lanes, total, offset);
    if (threadIdx.x % warp == 0) add_count(sum, static_cast<std::int64_t>(total));
}

} // namespace sluice::cuda

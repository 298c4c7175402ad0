// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/block_size.cuh"
#include "cuda/device/place_bounds.h"
#include "cuda/device/runtime.h"
#include <cstring>

namespace sluice::cuda {

/// A number whose order is that of the doubles.
__device__ inline unsigned long long ordered_bits(double x) {
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(x));
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/// The double of such a number.
inline double from_ordered_bits(unsigned long long n) {
    const unsigned long long bits = n >> 63 ? n & ~(1ull << 63) : ~n;
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

inline constexpr int bounds_block = 256;

template <class Place>
__global__ void bounds_kernel(Place place, std::uint32_t count, unsigned long long* box) {
    const std::uint32_t i = blockIdx.x * bounds_block + threadIdx.x;
    const Vec3d x = place(i < count ? i : 0);
    for (int axis = 0; axis < 3; ++axis) {
        unsigned long long least = ordered_bits(x[axis]), most = least;
        for (int off = 16; off > 0; off /= 2) {
            least = min(least, __shfl_xor_sync(0xffffffffu, least, off));
            most = max(most, __shfl_xor_sync(0xffffffffu, most, off));
        }
        if (threadIdx.x % 32 == 0) {
            atomicMin(box + axis, least);
            atomicMax(box + 3 + axis, most);
        }
    }
}

template <class Place>
Box PlaceBounds::find(const Place& place, std::uint32_t count, cudaStream_t stream) {
    constexpr const char* what = "bounds of the particles";
    Box bounds;
    if (count == 0) return bounds;
    fill(box_.data(), 0xff, 3 * sizeof(unsigned long long), stream, what);
    fill(box_.data() + 3, 0, 3 * sizeof(unsigned long long), stream, what);
    bounds_kernel<<<blocks_for(count, bounds_block), bounds_block, 0, stream>>>(place, count, box_.data());
    check_launch(what);
    unsigned long long box[6];
    copy_to_host(box, box_.data(), sizeof box, stream, what);
    wait_for(stream, what);
    for (int axis = 0; axis < 3; ++axis) {
        bounds.min[axis] = from_ordered_bits(box[axis]);
        bounds.max[axis] = from_ordered_bits(box[3 + axis]);
    }
    return bounds;
}

} // namespace sluice::cuda

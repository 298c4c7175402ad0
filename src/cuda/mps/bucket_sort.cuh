// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/block_size.cuh"
#include "cuda/mps/bucket_sort.h"

namespace sluice::cuda {

inline constexpr int bucket_block = 128;

/// The coordinates of a particle in radii from the grid's corner, with the bits of the processor.
__device__ inline mps::Separation<double> place_in(const mps::BucketGrid& grid, double inverse, const RawPlaces& raw,
                                                   std::uint32_t i) {
    return {__dmul_rn(raw.x[i] - grid.origin.x, inverse), __dmul_rn(raw.y[i] - grid.origin.y, inverse),
            __dmul_rn(raw.z[i] - grid.origin.z, inverse)};
}

/// Puts each particle behind those of its bucket that came before it.
template <class Put>
__global__ void order_kernel(mps::BucketGrid grid, double inverse, RawPlaces raw, const std::int32_t* bucket,
                             const std::int32_t* begins, const std::uint32_t* gathered, Put put) {
    const std::uint32_t i = blockIdx.x * bucket_block + threadIdx.x;
    if (i >= raw.size) return;
    const int first = begins[bucket[i]], last = begins[bucket[i] + 1];
    int place = first;
    for (int k = first; k < last; ++k) place += gathered[k] < i;
    put(place, i, place_in(grid, inverse, raw, i));
}

template <class Put>
void BucketSort::sort(const RawPlaces& raw, const Put& put, cudaStream_t stream) {
    gather(raw, stream);
    order_kernel<<<blocks_for(raw.size, bucket_block), bucket_block, 0, stream>>>(
        grid_, 1 / grid_.radius, raw, bucket_.data(), begins_.data(), gathered_.data(), put);
    check_launch("ordering particles");
}

} // namespace sluice::cuda

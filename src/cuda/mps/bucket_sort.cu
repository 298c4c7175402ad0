// SPDX-License-Identifier: Apache-2.0
#include "cuda/mps/bucket_sort.cuh"

#include "cuda/device/runtime.h"
#include <cub/device/device_scan.cuh>

namespace sluice::cuda {

namespace {

__global__ void count_kernel(mps::BucketGrid grid, double inverse, RawPlaces raw, std::int32_t* bucket,
                             std::uint32_t* slot, std::int32_t* counts) {
    const std::uint32_t i = blockIdx.x * bucket_block + threadIdx.x;
    if (i >= raw.size) return;
    const mps::BucketPlace b = mps::bucket_of(grid, place_in(grid, inverse, raw, i));
    const int number = grid.number(b.x, b.y, b.z);
    bucket[i] = number;
    slot[i] = static_cast<std::uint32_t>(atomicAdd(&counts[number], 1));
}

__global__ void gather_kernel(std::uint32_t size, const std::int32_t* bucket, const std::uint32_t* slot,
                              const std::int32_t* begins, std::uint32_t* gathered) {
    const std::uint32_t i = blockIdx.x * bucket_block + threadIdx.x;
    if (i < size) gathered[begins[bucket[i]] + slot[i]] = i;
}

std::size_t scan_bytes(int count) {
    std::size_t bytes = 0;
    check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, static_cast<const std::int32_t*>(nullptr),
                                        static_cast<std::int32_t*>(nullptr), count),
          "size of the scan's tables");
    return bytes;
}

/// Makes an array at least `count` long, with some to spare where one grows. What it held is lost.
template <class T>
void grow(DeviceArray<T>& array, DeviceMemory& memory, std::size_t count, const char* what) {
    if (array.size() >= count) return;
    const std::size_t room = array.size() == 0 ? count : count + count / 8;
    array = DeviceArray<T>(); // frees before it takes
    array = DeviceArray<T>(memory, room, what);
}

} // namespace

BucketSort::BucketSort(DeviceMemory& memory, std::uint32_t particles)
    : memory_(memory), bucket_(memory, particles, "buckets of particles"),
      slot_(memory, particles, "slots of particles"), gathered_(memory, particles, "particles of buckets") {}

void BucketSort::lay(const mps::BucketGrid& grid) {
    grid_ = grid;
    const std::size_t size = std::size_t(grid.size()) + 1;
    grow(counts_, memory_, size, "counts of buckets");
    grow(begins_, memory_, size, "forward star");
    grow(scan_tables_, memory_, scan_bytes(grid.size() + 1), "scan tables");
}

void BucketSort::gather(const RawPlaces& raw, cudaStream_t stream) {
    const unsigned blocks = blocks_for(raw.size, bucket_block);
    const int size = grid_.size() + 1;
    fill(counts_.data(), 0, std::size_t(size) * sizeof(std::int32_t), stream, "counts of buckets");
    count_kernel<<<blocks, bucket_block, 0, stream>>>(grid_, 1 / grid_.radius, raw, bucket_.data(), slot_.data(),
                                                      counts_.data());
    check_launch("counting particles in buckets");
    std::size_t bytes = scan_tables_.bytes();
    check(cub::DeviceScan::ExclusiveSum(scan_tables_.data(), bytes, counts_.data(), begins_.data(), size, stream),
          "begins of buckets");
    gather_kernel<<<blocks, bucket_block, 0, stream>>>(raw.size, bucket_.data(), slot_.data(), begins_.data(),
                                                       gathered_.data());
    check_launch("gathering particles of buckets");
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/block_size.cuh"
#include "cuda/device/runtime.h"
#include "cuda/mps/device_search.h"

#include <cub/device/device_scan.cuh>

namespace sluice::cuda {

namespace {

constexpr int block = 128;

struct RawCloud {
    const double *x, *y, *z, *phi;
    std::uint32_t size;
};

__device__ mps::Separation<double> place_of(const mps::BucketGrid& grid, double inverse, const RawCloud& raw,
                                            std::uint32_t i) {
    return {__dmul_rn(raw.x[i] - grid.origin.x, inverse), __dmul_rn(raw.y[i] - grid.origin.y, inverse),
            __dmul_rn(raw.z[i] - grid.origin.z, inverse)};
}

__global__ void count_kernel(mps::BucketGrid grid, double inverse, RawCloud raw, std::int32_t* bucket,
                             std::uint32_t* slot, std::int32_t* counts) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= raw.size) return;
    const mps::BucketPlace b = mps::bucket_of(grid, place_of(grid, inverse, raw, i));
    const int number = grid.number(b.x, b.y, b.z);
    bucket[i] = number;
    slot[i] = static_cast<std::uint32_t>(atomicAdd(&counts[number], 1));
}

__global__ void gather_kernel(std::uint32_t size, const std::int32_t* bucket, const std::uint32_t* slot,
                              const std::int32_t* begins, std::uint32_t* gathered) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i < size) gathered[begins[bucket[i]] + slot[i]] = i;
}

struct SortedArrays {
    double *x, *y, *z, *phi;
    double2 *xy, *z_phi;
    std::uint32_t* order;
};

/// Puts each particle behind those of its bucket that came before it.
__global__ void order_kernel(mps::BucketGrid grid, double inverse, RawCloud raw, const std::int32_t* bucket,
                             const std::int32_t* begins, const std::uint32_t* gathered, SortedArrays to) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= raw.size) return;
    const int first = begins[bucket[i]], last = begins[bucket[i] + 1];
    int place = first;
    for (int k = first; k < last; ++k) place += gathered[k] < i;
    const mps::Separation<double> p = place_of(grid, inverse, raw, i);
    const double phi = raw.phi[i];
    to.x[place] = p.x;
    to.y[place] = p.y;
    to.z[place] = p.z;
    to.phi[place] = phi;
    to.xy[place] = {p.x, p.y};
    to.z_phi[place] = {p.z, phi};
    to.order[place] = i;
}

/// Thread b links the particles of bucket b.
__global__ void link_kernel(std::int32_t buckets, const std::int32_t* begins, std::int32_t* first, std::int32_t* next) {
    const std::int32_t b = static_cast<std::int32_t>(blockIdx.x * block + threadIdx.x);
    if (b >= buckets) return;
    const std::int32_t begin = begins[b], end = begins[b + 1];
    first[b] = begin < end ? begin : -1;
    for (std::int32_t k = begin; k < end; ++k) next[k] = k + 1 < end ? k + 1 : -1;
}

std::size_t scan_bytes(int count) {
    std::size_t bytes = 0;
    check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, static_cast<const std::int32_t*>(nullptr),
                                        static_cast<std::int32_t*>(nullptr), count),
          "size of the scan's tables");
    return bytes;
}

DeviceArray<double> copied(DeviceMemory& memory, std::span<const double> values, const char* what) {
    DeviceArray<double> array(memory, values.size(), what);
    copy_from_host(array.data(), values.data(), values.size_bytes(), nullptr, what);
    return array;
}

} // namespace

DeviceSearch::DeviceSearch(DeviceMemory& memory, const mps::Cloud& cloud, const mps::Reach& reach)
    : grid_(mps::make_bucket_grid(cloud, reach)), size_(cloud.size()), x_(copied(memory, cloud.x, "coordinates")),
      y_(copied(memory, cloud.y, "coordinates")), z_(copied(memory, cloud.z, "coordinates")),
      phi_(copied(memory, cloud.phi, "values")), bucket_(memory, size_, "buckets of particles"),
      slot_(memory, size_, "slots of particles"), gathered_(memory, size_, "particles of buckets"),
      counts_(memory, grid_.size() + 1, "counts of buckets"), begins_(memory, grid_.size() + 1, "forward star"),
      first_in_bucket_(memory, grid_.size(), "linked list"), next_in_bucket_(memory, size_, "linked list"),
      scan_tables_(memory, scan_bytes(grid_.size() + 1), "scan tables"), sorted_x_(memory, size_, "sorted particles"),
      sorted_y_(memory, size_, "sorted particles"), sorted_z_(memory, size_, "sorted particles"),
      sorted_phi_(memory, size_, "sorted particles"), sorted_xy_(memory, size_, "sorted particles"),
      sorted_z_phi_(memory, size_, "sorted particles"), order_(memory, size_, "order of particles") {
    wait_for_device("copying particles");
}

void DeviceSearch::build(bool linked_list, cudaStream_t stream) {
    const double inverse = 1 / grid_.radius;
    const RawCloud raw{x_.data(), y_.data(), z_.data(), phi_.data(), size_};
    const unsigned blocks = blocks_for(size_, block);
    fill(counts_.data(), 0, counts_.bytes(), stream, "counts of buckets");
    count_kernel<<<blocks, block, 0, stream>>>(grid_, inverse, raw, bucket_.data(), slot_.data(), counts_.data());
    check_launch("counting particles in buckets");
    std::size_t bytes = scan_tables_.bytes();
    check(cub::DeviceScan::ExclusiveSum(scan_tables_.data(), bytes, counts_.data(), begins_.data(), grid_.size() + 1,
                                        stream),
          "begins of buckets");
    gather_kernel<<<blocks, block, 0, stream>>>(size_, bucket_.data(), slot_.data(), begins_.data(), gathered_.data());
    check_launch("gathering particles of buckets");
    order_kernel<<<blocks, block, 0, stream>>>(grid_, inverse, raw, bucket_.data(), begins_.data(), gathered_.data(),
                                               {sorted_x_.data(), sorted_y_.data(), sorted_z_.data(),
                                                sorted_phi_.data(), sorted_xy_.data(), sorted_z_phi_.data(),
                                                order_.data()});
    check_launch("ordering particles");
    if (!linked_list) return;
    link_kernel<<<blocks_for(grid_.size(), block), block, 0, stream>>>(grid_.size(), begins_.data(),
                                                                       first_in_bucket_.data(), next_in_bucket_.data());
    check_launch("linking particles");
}

mps::SearchView DeviceSearch::view() const {
    return {grid_, begins_.data(), first_in_bucket_.data(), next_in_bucket_.data()};
}

SortedCloud DeviceSearch::cloud() const {
    return {sorted_x_.data(),  sorted_y_.data(),     sorted_z_.data(), sorted_phi_.data(),
            sorted_xy_.data(), sorted_z_phi_.data(), order_.data(),    size_};
}

} // namespace sluice::cuda

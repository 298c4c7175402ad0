// SPDX-License-Identifier: Apache-2.0
#include "cuda/mps/device_search.h"

#include "cuda/device/runtime.h"
#include "cuda/mps/bucket_sort.cuh"

namespace sluice::cuda {

namespace {

/// Puts what kernels read of a particle to its place.
struct PutSorted {
    const double* phi_of;
    double *x, *y, *z, *phi;
    double2 *xy, *z_phi;
    std::uint32_t* order;

    __device__ void operator()(int place, std::uint32_t i, const mps::Separation<double>& p) const {
        const double value = phi_of[i];
        x[place] = p.x;
        y[place] = p.y;
        z[place] = p.z;
        phi[place] = value;
        xy[place] = {p.x, p.y};
        z_phi[place] = {p.z, value};
        order[place] = i;
    }
};

/// Thread b links the particles of bucket b.
__global__ void link_kernel(std::int32_t buckets, const std::int32_t* begins, std::int32_t* first, std::int32_t* next) {
    const std::int32_t b = static_cast<std::int32_t>(blockIdx.x * bucket_block + threadIdx.x);
    if (b >= buckets) return;
    const std::int32_t begin = begins[b], end = begins[b + 1];
    first[b] = begin < end ? begin : -1;
    for (std::int32_t k = begin; k < end; ++k) next[k] = k + 1 < end ? k + 1 : -1;
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
      phi_(copied(memory, cloud.phi, "values")), sort_(memory, size_),
      first_in_bucket_(memory, grid_.size(), "linked list"), next_in_bucket_(memory, size_, "linked list"),
      sorted_x_(memory, size_, "sorted particles"), sorted_y_(memory, size_, "sorted particles"),
      sorted_z_(memory, size_, "sorted particles"), sorted_phi_(memory, size_, "sorted particles"),
      sorted_xy_(memory, size_, "sorted particles"), sorted_z_phi_(memory, size_, "sorted particles"),
      order_(memory, size_, "order of particles") {
    sort_.lay(grid_);
    wait_for_device("copying particles");
}

void DeviceSearch::build(bool linked_list, cudaStream_t stream) {
    sort_.sort({x_.data(), y_.data(), z_.data(), size_},
               PutSorted{phi_.data(), sorted_x_.data(), sorted_y_.data(), sorted_z_.data(), sorted_phi_.data(),
                         sorted_xy_.data(), sorted_z_phi_.data(), order_.data()},
               stream);
    if (!linked_list) return;
    link_kernel<<<blocks_for(grid_.size(), bucket_block), bucket_block, 0, stream>>>(
        grid_.size(), sort_.begins(), first_in_bucket_.data(), next_in_bucket_.data());
    check_launch("linking particles");
}

mps::SearchView DeviceSearch::view() const {
    return {grid_, sort_.begins(), first_in_bucket_.data(), next_in_bucket_.data()};
}

SortedCloud DeviceSearch::cloud() const {
    return {sorted_x_.data(),  sorted_y_.data(),     sorted_z_.data(), sorted_phi_.data(),
            sorted_xy_.data(), sorted_z_phi_.data(), order_.data(),    size_};
}

} // namespace sluice::cuda

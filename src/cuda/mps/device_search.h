// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/mps/bucket_sort.h"

namespace sluice::cuda {

/// Sorted particles on the device: coordinates in radii from the grid's corner, values, places in the cloud. Kernels
/// that follow the paper read an array for each number; ours read two numbers at a time.
struct SortedCloud {
    const double *x, *y, *z, *phi;
    const double2 *xy, *z_phi;
    const std::uint32_t* order;
    std::uint32_t size;
};

/// The device's form of mps::ParticleSearch: particles sorted by bucket, in the same order, and both structures.
class DeviceSearch {
public:
    /// Copies the particles to the calling thread's device; build() sorts them. InputError as mps::make_bucket_grid.
    DeviceSearch(DeviceMemory& memory, const mps::Cloud& cloud, const mps::Reach& reach);

    /// Enqueues the sort, with the linked list if asked for.
    void build(bool linked_list, cudaStream_t stream);

    mps::SearchView view() const;
    SortedCloud cloud() const;

private:
    mps::BucketGrid grid_;
    std::uint32_t size_;
    DeviceArray<double> x_, y_, z_, phi_; ///< as they come
    BucketSort sort_;
    DeviceArray<std::int32_t> first_in_bucket_, next_in_bucket_;
    DeviceArray<double> sorted_x_, sorted_y_, sorted_z_, sorted_phi_;
    DeviceArray<double2> sorted_xy_, sorted_z_phi_;
    DeviceArray<std::uint32_t> order_;
};

} // namespace sluice::cuda

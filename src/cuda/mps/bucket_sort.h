// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/device_memory.h"
#include "methods/mps/visit.h"
#include <cstdint>

namespace sluice::cuda {

/// Coordinates of particles on the device, m.
struct RawPlaces {
    const double *x, *y, *z;
    std::uint32_t size;
};

/// Sorts particles on the device by the buckets of a grid, those of a bucket in their order, as mps::ParticleSearch
/// does.
class BucketSort {
public:
    BucketSort(DeviceMemory& memory, std::uint32_t particles);

    /// The grid of the sorts to come. Takes memory where it has more buckets than those before.
    void lay(const mps::BucketGrid& grid);
    /// Enqueues a sort and calls put(place, i, p) on the device for each particle i, which goes to `place` and whose
    /// coordinates are p, radii from the grid's corner. Defined in bucket_sort.cuh.
    template <class Put>
    void sort(const RawPlaces& raw, const Put& put, cudaStream_t stream);

    const mps::BucketGrid& grid() const { return grid_; }
    /// The first sorted particle of each bucket, and one number more.
    const std::int32_t* begins() const { return begins_.data(); }

private:
    /// Finds the buckets of the particles and gathers the particles of each bucket, in any order.
    void gather(const RawPlaces& raw, cudaStream_t stream);

    DeviceMemory& memory_;
    mps::BucketGrid grid_;
    DeviceArray<std::int32_t> bucket_;    ///< of each particle as they come
    DeviceArray<std::uint32_t> slot_;     ///< of each among those of its bucket, in the order of arrival
    DeviceArray<std::uint32_t> gathered_; ///< particles bucket by bucket, in any order
    DeviceArray<std::int32_t> counts_, begins_;
    DeviceArray<std::byte> scan_tables_;
};

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cell_grid.h"
#include "cuda/device/place_bounds.h"
#include "cuda/fvpm/arrays.h"

namespace sluice::cuda::fvpm {

/// Makes an array at least `count` long. What it held is lost where it grows.
template <class T>
void make_room(DeviceArray<T>& array, DeviceMemory& memory, std::size_t count, const char* what) {
    if (array.size() >= count) return;
    array = DeviceArray<T>(); // frees before it takes
    array = DeviceArray<T>(memory, count + count / 8, what);
}

/// Neighbours by cells as large as the largest support. Particles are sorted by cell, so that threads of a warp read
/// the same cells, and rows ascend.
class CellSearch {
public:
    CellSearch(DeviceMemory& memory, std::uint32_t particles, double largest_radius);

    /// Sorts the particles of `from` by cell into `to`.
    void sort(const ParticlePointers& from, const ParticlePointers& to, cudaStream_t stream);
    /// Finds the neighbours of the sorted particles.
    void find(const ParticlePointers& particles, cudaStream_t stream);

    RowPointers rows() const { return {first_.data(), neighbour_.data(), mate_.data(), vectors_.data()}; }
    std::uint32_t entries() const { return entries_; }
    std::uint32_t longest() const { return longest_; } ///< row

private:
    void lay_grid(const Vec3d* position, cudaStream_t stream);

    DeviceMemory& memory_;
    std::uint32_t count_;
    double radius_;
    CellGrid grid_;
    Vec3d low_;
    std::uint32_t entries_ = 0, longest_ = 0;
    PlaceBounds bounds_;
    DeviceArray<std::uint32_t> keys_, sorted_keys_, order_, sorted_order_, begin_;
    DeviceArray<std::uint32_t> first_, counts_, longest_row_, neighbour_, mate_;
    DeviceArray<Vec3d> vectors_;
    DeviceArray<std::byte> tables_;
};

} // namespace sluice::cuda::fvpm

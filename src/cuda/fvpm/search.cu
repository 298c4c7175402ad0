// SPDX-License-Identifier: Apache-2.0
#include "cuda/fvpm/search.h"

#include "core/error.h"
#include "cuda/device/block_size.cuh"
#include "cuda/device/place_bounds.cuh"
#include "cuda/device/runtime.h"
#include "methods/fvpm/vectors.h"
#include <cmath>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace sluice::cuda::fvpm {

namespace {

constexpr int block = 256;
constexpr double most_cells = 2e9;

/// The position of a particle, for PlaceBounds.
struct PositionOf {
    const Vec3d* position;
    __device__ Vec3d operator()(std::uint32_t i) const { return position[i]; }
};

/// The cells of the domain, by value for kernels.
struct Cells {
    Vec3d low;
    double side;
    Vec3i count;

    __device__ Vec3i of(Vec3d x) const {
        Vec3i cell;
        for (int axis = 0; axis < 3; ++axis) cell[axis] = min(int((x[axis] - low[axis]) / side), count[axis] - 1);
        return cell;
    }
    __device__ std::uint32_t number(int x, int y, int z) const {
        return std::uint32_t(x) +
               std::uint32_t(count.x) * (std::uint32_t(y) + std::uint32_t(count.y) * std::uint32_t(z));
    }
};

__global__ void key_kernel(Cells cells, const Vec3d* position, std::uint32_t count, std::uint32_t* keys,
                           std::uint32_t* order) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    const Vec3i cell = cells.of(position[i]);
    keys[i] = cells.number(cell.x, cell.y, cell.z);
    order[i] = i;
}

/// begin[c]: particles in cells below c.
__global__ void begin_kernel(const std::uint32_t* keys, std::uint32_t count, std::uint32_t cells,
                             std::uint32_t* begin) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i > count) return;
    const std::uint32_t from = i == 0 ? 0 : keys[i - 1] + 1, to = i == count ? cells : keys[i];
    for (std::uint32_t c = from; c <= to; ++c) begin[c] = i;
}

__global__ void reorder_kernel(ParticlePointers from, ParticlePointers to, const std::uint32_t* order,
                               std::uint32_t count) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    const std::uint32_t j = order[i];
    to.position[i] = from.position[j];
    to.velocity[i] = from.velocity[j];
    to.mass[i] = from.mass[j];
    to.volume[i] = from.volume[j];
    to.radius[i] = from.radius[j];
    to.id[i] = from.id[j];
    to.kind[i] = from.kind[j];
    to.begin_motion[i] = from.begin_motion[j];
}

/// Calls `visit` with each neighbour of particle `i`, ascending.
template <class Visit>
__device__ void walk(const Cells& cells, const std::uint32_t* begin, const ParticlePointers& p, std::uint32_t i,
                     Visit visit) {
    const Vec3d x = p.position[i];
    const double h = p.radius[i];
    const Vec3i c = cells.of(x);
    const int from = max(c.x - 1, 0), to = min(c.x + 1, cells.count.x - 1);
    for (int z = max(c.z - 1, 0); z <= min(c.z + 1, cells.count.z - 1); ++z)
        for (int y = max(c.y - 1, 0); y <= min(c.y + 1, cells.count.y - 1); ++y) {
            const std::uint32_t end = begin[cells.number(to, y, z) + 1];
            for (std::uint32_t j = begin[cells.number(from, y, z)]; j < end; ++j) {
                const Vec3d between = p.position[j] - x;
                const double reach = h + p.radius[j];
                if (dot(between, between) < reach * reach && j != i) visit(j);
            }
        }
}

__global__ void count_kernel(Cells cells, const std::uint32_t* begin, ParticlePointers p, std::uint32_t count,
                             std::uint32_t* counts, std::uint32_t* longest) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    std::uint32_t n = 0;
    if (i < count) {
        walk(cells, begin, p, i, [&](std::uint32_t) { ++n; });
        counts[i] = n;
    } else if (i == count)
        counts[i] = 0;
    const std::uint32_t most = __reduce_max_sync(0xffffffffu, n);
    if (threadIdx.x % 32 == 0) atomicMax(longest, most);
}

__global__ void fill_kernel(Cells cells, const std::uint32_t* begin, ParticlePointers p, std::uint32_t count,
                            RowPointers rows) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    std::uint32_t entry = rows.first[i];
    walk(cells, begin, p, i, [&](std::uint32_t j) { rows.neighbour[entry++] = j; });
}

__global__ void mate_kernel(RowPointers rows, std::uint32_t count) {
    const std::uint32_t i = blockIdx.x * (block / 32) + threadIdx.x / 32; // a warp a row
    if (i >= count) return;
    for (std::uint32_t entry = rows.first[i] + threadIdx.x % 32; entry < rows.first[i + 1]; entry += 32) {
        const std::uint32_t j = rows.neighbour[entry];
        std::uint32_t low = rows.first[j], high = rows.first[j + 1]; // rows ascend
        while (high - low > 1) {
            const std::uint32_t middle = (low + high) / 2;
            if (rows.neighbour[middle] <= i)
                low = middle;
            else
                high = middle;
        }
        rows.mate[entry] = low;
    }
}

Cells cells_of(const CellGrid& grid, Vec3d low) { return {low, grid.cell, grid.count}; }

} // namespace

CellSearch::CellSearch(DeviceMemory& memory, std::uint32_t particles, double largest_radius)
    : memory_(memory), count_(particles), radius_(largest_radius), bounds_(memory),
      keys_(memory, particles, "sort keys"), sorted_keys_(memory, particles, "sort keys"),
      order_(memory, particles, "sort indices"), sorted_order_(memory, particles, "sort indices"),
      first_(memory, particles + 1, "rows"), counts_(memory, particles + 1, "rows"), longest_row_(memory, 1, "rows") {
    std::size_t sort_bytes = 0, scan_bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, sort_bytes, keys_.data(), sorted_keys_.data(), order_.data(),
                                          sorted_order_.data(), int(particles)),
          "size of the sort's tables");
    check(cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, counts_.data(), first_.data(), int(particles) + 1),
          "size of the scan's tables");
    tables_ = DeviceArray<std::byte>(memory, std::max(sort_bytes, scan_bytes), "tables of sort and scan");
}

void CellSearch::lay_grid(const Vec3d* position, cudaStream_t stream) {
    const Box box = bounds_.find(PositionOf{position}, count_, stream);
    low_ = box.min;
    double cells = 1;
    for (int axis = 0; axis < 3; ++axis) cells *= (box.max[axis] - low_[axis]) / (2 * radius_) + 1;
    if (!(cells < most_cells))
        throw RunError("fvpm: the particles are too far apart, or not at finite places: the run has blown up",
                       Outcome::blown_up);
    grid_ = make_cell_grid(low_, box.max, radius_, 1);
    make_room(begin_, memory_, std::size_t(grid_.size()) + 1, "cells");
}

void CellSearch::sort(const ParticlePointers& from, const ParticlePointers& to, cudaStream_t stream) {
    lay_grid(from.position, stream);
    const Cells cells = cells_of(grid_, low_);
    const unsigned blocks = blocks_for(count_ + 1, block);
    key_kernel<<<blocks, block, 0, stream>>>(cells, from.position, count_, keys_.data(), order_.data());
    check_launch("cells of the particles");
    int bits = 1;
    while (bits < 32 && grid_.size() >> bits != 0) ++bits;
    std::size_t bytes = tables_.bytes();
    check(cub::DeviceRadixSort::SortPairs(tables_.data(), bytes, keys_.data(), sorted_keys_.data(), order_.data(),
                                          sorted_order_.data(), int(count_), 0, bits, stream),
          "sort of the particles");
    begin_kernel<<<blocks, block, 0, stream>>>(sorted_keys_.data(), count_, std::uint32_t(grid_.size()), begin_.data());
    check_launch("begins of the cells");
    reorder_kernel<<<blocks, block, 0, stream>>>(from, to, sorted_order_.data(), count_);
    check_launch("order of the particles");
}

void CellSearch::find(const ParticlePointers& particles, cudaStream_t stream) {
    const Cells cells = cells_of(grid_, low_);
    const unsigned blocks = blocks_for(count_ + 1, block);
    fill(longest_row_.data(), 0, sizeof(std::uint32_t), stream, "rows");
    count_kernel<<<blocks, block, 0, stream>>>(cells, begin_.data(), particles, count_, counts_.data(),
                                               longest_row_.data());
    check_launch("numbers of neighbours");
    std::size_t bytes = tables_.bytes();
    check(cub::DeviceScan::ExclusiveSum(tables_.data(), bytes, counts_.data(), first_.data(), int(count_) + 1, stream),
          "begins of the rows");
    copy_to_host(&entries_, first_.data() + count_, sizeof entries_, stream, "number of neighbours");
    copy_to_host(&longest_, longest_row_.data(), sizeof longest_, stream, "number of neighbours");
    wait_for(stream, "number of neighbours");
    if (longest_ > std::uint32_t(most_neighbours))
        throw RunError("fvpm: a particle has " + std::to_string(longest_) + " neighbours, more than " +
                       std::to_string(most_neighbours) + ": take smaller radii");
    make_room(neighbour_, memory_, entries_, "neighbours");
    make_room(mate_, memory_, entries_, "neighbours");
    make_room(vectors_, memory_, entries_, "interaction vectors");
    fill_kernel<<<blocks, block, 0, stream>>>(cells, begin_.data(), particles, count_, rows());
    check_launch("neighbours");
    mate_kernel<<<blocks_for(std::uint64_t(count_) * 32, block), block, 0, stream>>>(rows(), count_);
    check_launch("mates of the entries");
}

} // namespace sluice::cuda::fvpm

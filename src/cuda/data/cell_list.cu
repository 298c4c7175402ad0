// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/cell_keys.cuh"
#include "cuda/data/cell_list.h"
#include "cuda/data/coarse_search.h"
#include "cuda/data/pair_loops.h"
#include "cuda/device/block_size.cuh"
#include "cuda/device/runtime.h"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace sluice::cuda {

namespace {

constexpr int block = 256;

__global__ void key_kernel(FixedGrid grid, const Position* position, const std::uint32_t* cell, std::uint32_t count,
                           std::uint32_t excluded_cell, int fine_bits, std::uint32_t* key, std::uint32_t* index) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= count) return;
    const std::uint32_t former = cell[i];
    key[i] = former == excluded_cell ? excluded_cell << fine_bits : sort_key(grid, position[i], former, fine_bits);
    index[i] = i;
}

__global__ void count_kernel(const std::uint32_t* cell, SortRange range, CellCounts counts) {
    const std::uint32_t i = range.first + blockIdx.x * block + threadIdx.x;
    if (i - range.first < range.count) counts.enter(i, cell[i]);
}

/// Brings the particles of a cell together, in any order; those that were not counted keep their places.
__global__ void gather_cells_kernel(const std::uint32_t* cell, SortRange range, std::uint32_t excluded_cell,
                                    const std::uint32_t* slot, const std::uint32_t* begin, std::uint32_t* gathered) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= range.count) return;
    const bool counted = i < begin[excluded_cell + 1];
    gathered[counted ? begin[cell[range.first + i]] + slot[range.first + i] : i] = i;
}

/// Puts the particles of a cell into the order that they came in, and clears the counts for the next step.
__global__ void order_kernel(const std::uint32_t* cell, SortRange range, std::uint32_t excluded_cell,
                             const std::uint32_t* gathered, const std::uint32_t* begin, std::uint32_t* order,
                             std::uint32_t* sorted_cell, std::uint32_t* count, unsigned* alive) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x, in_run = begin[excluded_cell];
    for (std::uint64_t c = i; c <= excluded_cell; c += std::uint64_t(gridDim.x) * block) count[c] = 0;
    if (i == 0) *alive = range.first + in_run;
    if (i >= range.count) return;
    if (i >= in_run) { // here as a place; particles that are not in the run lie in any order
        order[i] = gathered[i];
        sorted_cell[range.first + i] = excluded_cell;
    }
    const std::uint32_t mine = cell[range.first + i];
    if (mine == excluded_cell) return;
    const std::uint32_t first = begin[mine], last = begin[mine + 1];
    std::uint32_t place = first;
    for (std::uint32_t k = first; k < last; ++k) place += gathered[k] < i;
    order[place] = i;
    sorted_cell[range.first + place] = mine;
}

__global__ void cell_kernel(const std::uint32_t* key, std::uint32_t count, int fine_bits, std::uint32_t* cell) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i < count) cell[i] = key[i] >> fine_bits;
}

/// Who comes to place i.
__device__ std::uint32_t source_of(const std::uint32_t* order, const SortRange& range, std::uint32_t i) {
    return i >= range.first && i - range.first < range.count ? range.first + order[i - range.first] : i;
}

__device__ void write_position(const Position& p, std::uint32_t i, Position* to, const FixedGrid& grid,
                               std::uint32_t* coarse) {
    to[i] = p;
    if (coarse) coarse[i] = coarse_position(grid, p);
}

__global__ void reorder_kernel(ParticleArrays from, ParticleArrays to, const std::uint32_t* order, SortRange range,
                               std::uint32_t particles, FixedGrid grid, std::uint32_t* coarse) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= particles) return;
    const std::uint32_t j = source_of(order, range, i);
    write_position(load16(from.position + j), i, to.position, grid, coarse);
    to.flow[i] = load16(from.flow + j);
    to.previous[i] = load16(from.previous + j);
    if (from.start) to.start[i] = load16(from.start + j);
    to.id[i] = from.id[j];
}

__global__ void gather_positions_kernel(const Position* from, Position* to, const std::uint32_t* order, SortRange range,
                                        std::uint32_t particles, FixedGrid grid, std::uint32_t* coarse) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i < particles) write_position(load16(from + source_of(order, range, i)), i, to, grid, coarse);
}

template <class T>
__global__ void gather_kernel(const T* from, T* to, const std::uint32_t* order, SortRange range,
                              std::uint32_t particles) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i < particles) to[i] = from[source_of(order, range, i)];
}

template <class T>
void gather(const T* from, T* to, const std::uint32_t* order, SortRange range, std::uint32_t particles,
            cudaStream_t stream) {
    gather_kernel<<<blocks_for(particles, block), block, 0, stream>>>(from, to, order, range, particles);
    check_launch("reordering of particles");
}

template <class T>
void gather_in_place(T* array, const std::uint32_t* order, SortRange range, const SpareRecords& spare,
                     cudaStream_t stream) {
    if (!array) return;
    T* const sorted = spare.as<T>();
    gather(array + range.first, sorted, order, {0, range.count}, range.count, stream);
    copy_on_device(array + range.first, sorted, range.count * sizeof(T), stream, "reordering of particles");
}

/// Writes an array in sorted order to the spare one; the two change places.
template <class T>
void gather_in_turn(T*& array, SpareRecords& spare, const std::uint32_t* order, SortRange range,
                    std::uint32_t particles, cudaStream_t stream) {
    if (!array) return;
    gather(array, spare.as<T>(), order, range, particles, stream);
    spare.change_places(array);
}

__global__ void coarse_kernel(const Position* position, std::uint32_t particles, FixedGrid grid,
                              std::uint32_t* coarse) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i < particles) coarse[i] = coarse_position(grid, load16(position + i));
}

/// Fills [from, to) with `value`, the lanes of a warp side by side.
__device__ void fill(std::uint32_t* begin, std::uint32_t from, std::uint32_t to, std::uint32_t value, int lane,
                     int lanes) {
    for (std::uint32_t c = from + lane; c < to; c += lanes) begin[c] = value;
}

/// Every gap in the sorted cells is filled by the lane that sees it if it is one cell wide, else by its warp; the one
/// behind the last particle by all threads.
__global__ void begin_kernel(const std::uint32_t* cell, std::uint32_t count, std::uint32_t excluded_cell,
                             std::uint32_t* begin) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    const std::uint32_t here = i < count ? cell[i] + 1 : 0;
    const std::uint32_t former = i == 0 ? 0 : i < count ? cell[i - 1] + 1 : here;
    if (i < count && former + 1 == here) begin[former] = i;
    unsigned gaps = __ballot_sync(0xffffffffu, i < count && former + 1 < here);
    const int lane = threadIdx.x & 31;
    while (gaps) {
        const int source = __ffs(gaps) - 1;
        gaps &= gaps - 1;
        const std::uint32_t from = __shfl_sync(0xffffffffu, former, source),
                            to = __shfl_sync(0xffffffffu, here, source);
        fill(begin, from, to, i - lane + source, lane, 32);
    }
    const std::uint32_t behind = count == 0 ? 0 : cell[count - 1] + 1;
    for (std::uint64_t c = std::uint64_t(behind) + i; c < std::uint64_t(excluded_cell) + 2;
         c += std::uint64_t(gridDim.x) * block)
        begin[c] = count;
}

__global__ void alive_kernel(const std::uint32_t* begin, std::uint32_t excluded_cell, std::uint32_t first,
                             unsigned* alive) {
    *alive = first + begin[excluded_cell];
}

__global__ void near_kernel(FixedGrid grid, CellBegins boundary, std::uint8_t* near) {
    const std::uint64_t cell = std::uint64_t(blockIdx.x) * block + threadIdx.x;
    if (cell >= grid.cells()) return;
    bool any = false;
    WholeRows{grid, boundary}.for_each(std::uint32_t(cell), Reach{},
                                       [&](Range range) { any |= range.begin < range.end; });
    near[cell] = any;
}

/// Cells that boundary particles beyond a periodic side may be in reach of; the side need not lie between two cells.
__global__ void near_side_kernel(FixedGrid grid, GridPeriod period, std::uint8_t* near) {
    const std::uint64_t cell = std::uint64_t(blockIdx.x) * block + threadIdx.x;
    if (cell >= grid.cells()) return;
    const CellCoordinates c = cell_coordinates(grid, std::uint32_t(cell));
    const auto at_side = [&](long long length, int along, int count) {
        return length != 0 && (along <= grid.reach || along + 1 + grid.reach + 1 > count - 1);
    };
    if (at_side(period.shift_x.x, c.x, grid.nx) || at_side(period.shift_y.y, c.y, grid.ny) ||
        at_side(period.shift_z.z, c.z, grid.nz))
        near[cell] = 1;
}

__global__ void wrap_kernel(FixedGrid grid, GridPeriod period, ParticleArrays arrays, std::uint32_t* cell,
                            SortRange range, std::uint32_t excluded_cell) {
    const std::uint32_t i = range.first + blockIdx.x * block + threadIdx.x;
    if (i - range.first >= range.count || cell[i] == excluded_cell) return;
    const Position p = arrays.position[i];
    const Units64 here = unwrap(grid, p, cell[i]), there = period.wrapped(here), by = there - here;
    if (by.x == 0 && by.y == 0 && by.z == 0) return;
    arrays.position[i] = displaced(p, by);
    if (arrays.start) arrays.start[i] = displaced(arrays.start[i], by);
    cell[i] = cell_of(grid, there);
}

} // namespace

std::size_t sort_table_bytes(std::uint32_t particles) {
    std::size_t bytes = 0;
    cub::DoubleBuffer<std::uint32_t> keys(nullptr, nullptr), order(nullptr, nullptr);
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, order, int(particles), 0, 32),
          "size of the sort's tables");
    return bytes;
}

std::size_t scan_table_bytes(std::uint32_t cells) {
    std::size_t bytes = 0;
    const std::uint32_t* const counts = nullptr;
    std::uint32_t* const begin = nullptr;
    check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts, begin, cells + 2), "size of the scan's tables");
    return bytes;
}

SortMemory::SortMemory(DeviceMemory& memory, std::uint32_t particles)
    : keys_(memory, particles + coarse_group, "sort keys, and coarse positions"),
      order_a_(memory, particles, "sort indices"), order_b_(memory, particles, "sort indices"),
      tables_(memory, sort_table_bytes(particles), "sort tables") {}

void count_in_cells(const std::uint32_t* cell, SortRange range, const CellCounts& counts, cudaStream_t stream) {
    if (range.count == 0) return;
    count_kernel<<<blocks_for(range.count, block), block, 0, stream>>>(cell, range, counts);
    check_launch("count of the cells' particles");
}

void order_by_counts(const std::uint32_t* cell, SortRange range, std::uint32_t excluded_cell, const CellCounts& counts,
                     const CountedOrder& result, cudaStream_t stream) {
    std::size_t bytes = result.tables->bytes();
    const std::uint32_t* const count = counts.count;
    check(cub::DeviceScan::ExclusiveSum(result.tables->data(), bytes, count, result.begin, excluded_cell + 2, stream),
          "first particles of the cells");
    const unsigned blocks = blocks_for(std::max(range.count, 1u), block);
    gather_cells_kernel<<<blocks, block, 0, stream>>>(cell, range, excluded_cell, counts.slot, result.begin,
                                                      result.members);
    check_launch("particles of the cells");
    // the slots are read; their array may take the order
    order_kernel<<<blocks, block, 0, stream>>>(cell, range, excluded_cell, result.members, result.begin, result.order,
                                               result.cell, counts.count, result.alive);
    check_launch("order of the particles");
}

const std::uint32_t* sort_by_cell(const FixedGrid& grid, const Position* position, std::uint32_t* cell, SortRange range,
                                  std::uint32_t excluded_cell, bool along_curve, const SortScratch& scratch,
                                  cudaStream_t stream) {
    if (range.count == 0) return scratch.order_a;
    const int fine_bits = along_curve ? curve_bits(excluded_cell) : 0, bits = key_bits(excluded_cell) + fine_bits;
    const unsigned blocks = blocks_for(range.count, block);
    std::uint32_t* const mine = cell + range.first;
    key_kernel<<<blocks, block, 0, stream>>>(grid, position + range.first, mine, range.count, excluded_cell, fine_bits,
                                             scratch.keys, scratch.order_a);
    check_launch("cells of the particles");
    cub::DoubleBuffer<std::uint32_t> keys(scratch.keys, mine), order(scratch.order_a, scratch.order_b);
    std::size_t bytes = scratch.tables->bytes();
    check(
        cub::DeviceRadixSort::SortPairs(scratch.tables->data(), bytes, keys, order, int(range.count), 0, bits, stream),
        "sort of the particles");
    if (fine_bits) {
        cell_kernel<<<blocks, block, 0, stream>>>(keys.Current(), range.count, fine_bits, mine);
        check_launch("cells of the particles");
    } else if (keys.Current() != mine)
        copy_on_device(mine, keys.Current(), range.count * sizeof(std::uint32_t), stream, "sort of the particles");
    return order.Current();
}

void reorder(const ParticleArrays& from, const ParticleArrays& to, const std::uint32_t* order, SortRange range,
             std::uint32_t particles, const FixedGrid& grid, std::uint32_t* coarse, cudaStream_t stream) {
    if (particles == 0) return;
    reorder_kernel<<<blocks_for(particles, block), block, 0, stream>>>(from, to, order, range, particles, grid, coarse);
    check_launch("reordering of particles");
}

void reorder_in_place(const ParticleArrays& arrays, const std::uint32_t* order, SortRange range,
                      const SpareRecords& spare, cudaStream_t stream) {
    if (range.count == 0) return;
    gather_in_place(arrays.position, order, range, spare, stream);
    gather_in_place(arrays.flow, order, range, spare, stream);
    gather_in_place(arrays.previous, order, range, spare, stream);
    gather_in_place(arrays.start, order, range, spare, stream);
    gather_in_place(arrays.id, order, range, spare, stream);
}

void reorder_in_turns(ParticleArrays& arrays, SpareRecords& spare, const std::uint32_t* order, SortRange range,
                      std::uint32_t particles, const FixedGrid& grid, std::uint32_t* coarse, cudaStream_t stream) {
    if (particles == 0) return;
    gather_in_place(arrays.id, order, range, spare, stream);
    gather_positions_kernel<<<blocks_for(particles, block), block, 0, stream>>>(arrays.position, spare.as<Position>(),
                                                                                order, range, particles, grid, coarse);
    check_launch("reordering of particles");
    spare.change_places(arrays.position);
    gather_in_turn(arrays.flow, spare, order, range, particles, stream);
    gather_in_turn(arrays.previous, spare, order, range, particles, stream);
    gather_in_turn(arrays.start, spare, order, range, particles, stream);
}

void find_coarse_positions(const FixedGrid& grid, const Position* position, std::uint32_t particles,
                           std::uint32_t* coarse, cudaStream_t stream) {
    if (particles == 0) return;
    coarse_kernel<<<blocks_for(particles, block), block, 0, stream>>>(position, particles, grid, coarse);
    check_launch("coarse positions");
}

void find_cell_begins(const std::uint32_t* cell, SortRange range, std::uint32_t excluded_cell, std::uint32_t* begin,
                      unsigned* alive, cudaStream_t stream) {
    const unsigned blocks = blocks_for(range.count == 0 ? 1 : range.count, block);
    begin_kernel<<<blocks, block, 0, stream>>>(cell + range.first, range.count, excluded_cell, begin);
    check_launch("first particles of the cells");
    if (!alive) return;
    alive_kernel<<<1, 1, 0, stream>>>(begin, excluded_cell, range.first, alive);
    check_launch("count of the particles");
}

void mark_near_boundary(const FixedGrid& grid, const GridPeriod& period, CellBegins boundary, std::uint8_t* near,
                        cudaStream_t stream) {
    near_kernel<<<blocks_for(grid.cells(), block), block, 0, stream>>>(grid, boundary, near);
    check_launch("cells near a boundary");
    if (!period.any()) return;
    near_side_kernel<<<blocks_for(grid.cells(), block), block, 0, stream>>>(grid, period, near);
    check_launch("cells near a periodic side");
}

void wrap_positions(const FixedGrid& grid, const GridPeriod& period, const ParticleArrays& arrays, std::uint32_t* cell,
                    SortRange range, std::uint32_t excluded_cell, cudaStream_t stream) {
    if (range.count == 0) return;
    wrap_kernel<<<blocks_for(range.count, block), block, 0, stream>>>(grid, period, arrays, cell, range, excluded_cell);
    check_launch("particles that left through a periodic side");
}

} // namespace sluice::cuda

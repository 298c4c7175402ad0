// SPDX-License-Identifier: Apache-2.0
#include "bench/paper/stored_ranges.h"

#include "cuda/device/block_size.cuh"

namespace sluice::paper {

using namespace cuda;

namespace {

constexpr int block = 256;

/// The range of row `row` around a cell.
__device__ Range row_range(const FixedGrid& grid, const CellBegins& cells, CellCoordinates c, int row) {
    const int a_side = 2 * grid.reach + 1;
    const int y = c.y + row % a_side - grid.reach, z = c.z + row / a_side - grid.reach;
    if (y < 0 || y >= grid.ny || z < 0 || z >= grid.nz) return {0, 0};
    const int x0 = max(c.x - grid.reach, 0), x1 = min(c.x + grid.reach, grid.nx - 1);
    const std::uint32_t first = cell_index(grid, {x0, y, z});
    return {cells.base + cells.begin[first], cells.base + cells.begin[first + (x1 - x0) + 1]};
}

/// A warp looks at 32 particles; for each that is the first of its cell, the lanes store the cell's rows.
__global__ void range_kernel(FixedGrid grid, CellBegins cells, const std::uint32_t* cell, std::uint32_t count,
                             Range* ranges) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    const int rows = rows_around(grid), lane = threadIdx.x & 31;
    const std::uint32_t mine = i < count ? cell[i] : grid.cells();
    unsigned firsts = __ballot_sync(0xffffffffu, mine < grid.cells() && (i == 0 || cell[i - 1] != mine));
    while (firsts) {
        const std::uint32_t c = __shfl_sync(0xffffffffu, mine, __ffs(firsts) - 1);
        firsts &= firsts - 1;
        for (int row = lane; row < rows; row += 32)
            ranges[std::size_t(c) * rows + row] = row_range(grid, cells, cell_coordinates(grid, c), row);
    }
}

/// The same for every cell of the grid.
__global__ void all_ranges_kernel(FixedGrid grid, CellBegins cells, Range* ranges) {
    const int rows = rows_around(grid);
    const std::uint64_t thread = std::uint64_t(blockIdx.x) * block + threadIdx.x, mine = thread / rows;
    if (mine < grid.cells())
        ranges[thread] = row_range(grid, cells, cell_coordinates(grid, std::uint32_t(mine)), int(thread - mine * rows));
}

} // namespace

void store_ranges(const FixedGrid& grid, CellBegins cells, const std::uint32_t* cell, std::uint32_t particles,
                  Range* ranges, cudaStream_t stream) {
    if (particles == 0) return;
    range_kernel<<<blocks_for(particles, block), block, 0, stream>>>(grid, cells, cell, particles, ranges);
    check_launch("ranges of the cells");
}

void store_all_ranges(const FixedGrid& grid, CellBegins cells, Range* ranges, cudaStream_t stream) {
    all_ranges_kernel<<<blocks_for(std::uint64_t(grid.cells()) * rows_around(grid), block), block, 0, stream>>>(
        grid, cells, ranges);
    check_launch("ranges of the cells");
}

} // namespace sluice::paper

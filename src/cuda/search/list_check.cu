// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/reduce.cuh"
#include "cuda/data/vacated_places.h"
#include "cuda/device/block_size.cuh"
#include "cuda/device/launch_ahead.cuh"
#include "cuda/device/maxima.h"
#include "cuda/pairs/neighbour_lists.h"

#include <algorithm>
#include <climits>
#include <cmath>

namespace sluice::cuda {

namespace {

constexpr int cells_per_block = 8;

__device__ void include(DisplacementBox& box, const Position& now, const Position& then) {
    if (is_vacated(now, then)) return;
    const int x = int(unsigned(now.x) - unsigned(then.x)), y = int(unsigned(now.y) - unsigned(then.y)),
              z = int(unsigned(now.z) - unsigned(then.z));
    box.low_x = min(box.low_x, x);
    box.low_y = min(box.low_y, y);
    box.low_z = min(box.low_z, z);
    box.high_x = max(box.high_x, x);
    box.high_y = max(box.high_y, y);
    box.high_z = max(box.high_z, z);
}

/// The box of what all lanes of a warp have included.
__device__ void reduce(DisplacementBox& box) {
    box.low_x = warp_min(box.low_x);
    box.low_y = warp_min(box.low_y);
    box.low_z = warp_min(box.low_z);
    box.high_x = warp_max(box.high_x);
    box.high_y = warp_max(box.high_y);
    box.high_z = warp_max(box.high_z);
}

/// One warp a cell: the box of its particles' displacements.
__global__ void box_kernel(ListArgs args) {
    wait_for_kernel_before();
    Control& control = *args.control;
    if (!control.active || control.rebuild) return;
    const int lane = threadIdx.x & (warp - 1);
    const std::uint32_t stride = gridDim.x * cells_per_block;
    int longest = 0;
    for (std::uint32_t k = blockIdx.x * cells_per_block + threadIdx.x / warp; k < control.occupied; k += stride) {
        const std::uint32_t cell = args.occupied[k];
        const std::uint32_t begin = args.view.fluid.base + args.view.fluid.begin[cell],
                            end = args.view.fluid.base + args.view.fluid.begin[cell + 1];
        DisplacementBox box{INT_MAX, INT_MAX, INT_MAX, 0, INT_MIN, INT_MIN, INT_MIN, 0};
        for (std::uint32_t i = begin + lane; i < end; i += warp) include(box, args.position[i], args.origin[i]);
        reduce(box);
        if (lane == 0) args.boxes[cell] = box;
        if (box.is_empty()) continue;
        const float x = float(max(-box.low_x, box.high_x)), y = float(max(-box.low_y, box.high_y)),
                    z = float(max(-box.low_z, box.high_z));
        longest = max(longest, __float_as_int(sqrtf(x * x + y * y + z * z) * args.view.grid.unit));
    }
    if (lane == 0 && unsigned(longest) > control.travel_bits) atomicMax(&control.travel_bits, unsigned(longest));
}

/// The longest displacement of a boundary particle.
__global__ void wall_travel_kernel(ListArgs args) {
    wait_for_kernel_before();
    Control& control = *args.control;
    if (!control.active || control.rebuild) return;
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    float distance = 0;
    if (i < args.boundary_count) {
        const Position now = args.position[i], then = args.origin[i];
        const float x = float(int(unsigned(now.x) - unsigned(then.x))),
                    y = float(int(unsigned(now.y) - unsigned(then.y))),
                    z = float(int(unsigned(now.z) - unsigned(then.z)));
        distance = sqrtf(x * x + y * y + z * z) * args.view.grid.unit;
    }
    raise_maximum(&control.wall_travel_bits, distance);
}

/// Longest vector between two boxes of displacements, m; 0 if one is empty.
__device__ float longest_between(const DisplacementBox& a, const DisplacementBox& b, float unit) {
    if (a.is_empty() || b.is_empty()) return 0;
    const float x = float(max(a.high_x - b.low_x, b.high_x - a.low_x));
    const float y = float(max(a.high_y - b.low_y, b.high_y - a.low_y));
    const float z = float(max(a.high_z - b.low_z, b.high_z - a.low_z));
    return sqrtf(x * x + y * y + z * z) * unit;
}

/// A cell's box against those of cells up to two away from its images beyond periodic sides, as spread_kernel() does.
/// An image may lie in two cells along an axis: `rest`. Each pair of cells is looked at once.
__device__ float spread_across(const ListArgs& args, const CellCoordinates& c, const DisplacementBox& mine,
                               float touching, float apart) {
    const FixedGrid& grid = args.view.grid;
    const int lane = threadIdx.x & (warp - 1);
    const long long in_cell = (1ll << grid.cell_bits) - 1;
    float spread = 0;
    args.period.for_each_image([&](int image, const Units64& shift) {
        if (image > GridPeriod::itself) return;
        const CellCoordinates by = cell_around(grid, shift), at{c.x + by.x, c.y + by.y, c.z + by.z};
        const CellCoordinates rest{(shift.x & in_cell) != 0, (shift.y & in_cell) != 0, (shift.z & in_cell) != 0};
        const CellCoordinates low{max(at.x - 2, 0), max(at.y - 2, 0), max(at.z - 2, 0)};
        const int nx = min(at.x + 2 + rest.x, grid.nx - 1) - low.x + 1,
                  ny = min(at.y + 2 + rest.y, grid.ny - 1) - low.y + 1,
                  nz = min(at.z + 2 + rest.z, grid.nz - 1) - low.z + 1;
        if (nx <= 0 || ny <= 0 || nz <= 0) return;
        for (int n = lane; n < nx * ny * nz; n += warp) {
            const CellCoordinates o{low.x + n % nx, low.y + n / nx % ny, low.z + n / (nx * ny)};
            const std::uint32_t other = cell_index(grid, o);
            if (args.view.fluid.begin[other] == args.view.fluid.begin[other + 1]) continue;
            const auto touches = [](int d, int more) { return d >= -1 && d <= 1 + more; };
            const bool touch =
                touches(o.x - at.x, rest.x) && touches(o.y - at.y, rest.y) && touches(o.z - at.z, rest.z);
            spread = fmaxf(spread, longest_between(mine, args.boxes[other], grid.unit) * (touch ? touching : apart));
        }
    });
    return spread;
}

/// The box of the displacements of those of the boundary particles in a cell that have lists; by a whole warp.
__device__ DisplacementBox box_of_bodies(const ListArgs& args, std::uint32_t cell) {
    const CellBegins& boundary = args.view.boundary;
    DisplacementBox box{INT_MAX, INT_MAX, INT_MAX, 0, INT_MIN, INT_MIN, INT_MIN, 0};
    for (std::uint32_t i = boundary.base + boundary.begin[cell] + threadIdx.x % warp;
         i < boundary.base + boundary.begin[cell + 1]; i += warp)
        if (args.bodies.ids.contains(args.id[i])) include(box, args.position[i], args.origin[i]);
    reduce(box);
    return box;
}

/// How the boundary particles with lists that are in a cell have moved against the fluid around; by a whole warp.
__device__ float spread_of_bodies(const ListArgs& args, std::uint32_t cell) {
    const FixedGrid& grid = args.view.grid;
    const CellCoordinates c = cell_coordinates(grid, cell);
    const DisplacementBox mine = box_of_bodies(args, cell);
    float longest = 0;
    for (int n = threadIdx.x % warp; n < 125; n += warp) {
        const CellCoordinates o{c.x + n % 5 - 2, c.y + n / 5 % 5 - 2, c.z + n / 25 - 2};
        if (o.x < 0 || o.x >= grid.nx || o.y < 0 || o.y >= grid.ny || o.z < 0 || o.z >= grid.nz) continue;
        const std::uint32_t other = cell_index(grid, o);
        if (args.view.fluid.begin[other] == args.view.fluid.begin[other + 1]) continue;
        longest = fmaxf(longest, longest_between(mine, args.boxes[other], grid.unit));
    }
    return longest;
}

/// One warp a cell: its box against those of the cells up to two away, in units of what is allowed.
/// `Bodies`: some boundary particles have lists, which is spent in another way.
template <bool Periodic, bool Bodies>
__global__ void spread_kernel(const __grid_constant__ ListArgs args) {
    wait_for_kernel_before();
    Control& control = *args.control;
    if (!control.active || control.rebuild) return;
    const int lane = threadIdx.x & (warp - 1);
    const std::uint32_t stride = gridDim.x * cells_per_block;
    const FixedGrid& grid = args.view.grid;
    const float touching = 1.0f / control.skin, apart = 1.0f / (args.cell_side - args.support);
    float spread = 0;
    for (std::uint32_t k = blockIdx.x * cells_per_block + threadIdx.x / warp; k < control.occupied; k += stride) {
        const std::uint32_t cell = args.occupied[k];
        const CellCoordinates c = cell_coordinates(grid, cell);
        const DisplacementBox mine = args.boxes[cell];
        for (int n = 62 + lane; n < 125; n += warp) { // itself and the half of the 5×5×5 cells behind it
            const int dx = n % 5 - 2, dy = n / 5 % 5 - 2, dz = n / 25 - 2;
            const CellCoordinates o{c.x + dx, c.y + dy, c.z + dz};
            if (o.x < 0 || o.x >= grid.nx || o.y < 0 || o.y >= grid.ny || o.z >= grid.nz) continue;
            const std::uint32_t other = cell_index(grid, o);
            if (args.view.fluid.begin[other] == args.view.fluid.begin[other + 1]) continue;
            const bool touch = abs(dx) < 2 && abs(dy) < 2 && abs(dz) < 2;
            spread = fmaxf(spread, longest_between(mine, args.boxes[other], grid.unit) * (touch ? touching : apart));
        }
        if constexpr (Periodic) spread = fmaxf(spread, spread_across(args, c, mine, touching, apart));
    }
    raise_maximum(&control.spread_bits, spread);
    if constexpr (Bodies) {
        // from the last warp on, which has no more fluid than others
        const std::uint32_t first = stride - 1 - (blockIdx.x * cells_per_block + threadIdx.x / warp);
        float longest = 0;
        for (std::uint32_t k = first; k < control.body_cells; k += stride)
            longest = fmaxf(longest, spread_of_bodies(args, args.bodies.cells[k]));
        raise_maximum(&control.body_spread_bits, longest * apart);
    }
}

/// Whether the step in progress needs new lists; if so, how fast these were spent goes to the control.
__device__ bool decide(const ListArgs& args) {
    Control& control = *args.control;
    const float travel = __uint_as_float(control.travel_bits), walls = __uint_as_float(control.wall_travel_bits),
                spread = __uint_as_float(control.spread_bits);
    // the allowance pays for the rounding of these lines and of the distances in the interaction
    const float allowance = 0.9999f;
    const float ratio = fmaxf(spread, travel / (args.cell_side - 0.5f * args.support));
    // what walls and bodies spend says nothing about the best skin
    const float to_walls = args.period.any() ? args.cell_side - args.support : 2 * args.cell_side - args.support;
    const float wall_ratio = fmaxf(fmaxf((travel + walls) / to_walls, walls / (args.cell_side - args.support)),
                                   __uint_as_float(control.body_spread_bits));
    if (!(ratio <= allowance && wall_ratio <= allowance)) control.rebuild = 1;
    const bool rebuild = control.active && control.rebuild;
    if (rebuild && ratio > 0 && control.steps_since_build > 0)
        control.spread_rate = ratio * control.skin / float(control.steps_since_build);
    return rebuild;
}

__global__ void decide_kernel(ListArgs args, cudaGraphConditionalHandle handle) {
    wait_for_kernel_before();
    const bool rebuild = decide(args);
    if (handle) set_condition(handle, rebuild);
}

/// One warp: what all devices have measured, and what follows. If one knew already that the lists must be renewed, what
/// the others have measured meanwhile counts for nothing: a device alone would not have measured.
__global__ void decide_together_kernel(ListArgs args, AllMaxima maxima, Control* copy) {
    wait_for_kernel_before();
    Control& control = *args.control;
    const Maxima all = greatest_of_all(maxima);
    if (threadIdx.x == 0) {
        control.rebuild = int(all.rebuild);
        control.spread_bits = all.rebuild ? control.agreed_spread_bits : all.spread_bits;
        control.travel_bits = all.rebuild ? control.agreed_travel_bits : all.travel_bits;
        control.wall_travel_bits = all.rebuild ? control.agreed_wall_travel_bits : all.wall_travel_bits;
        control.body_spread_bits = all.body_spread_bits;
        control.agree_on_spread();
        if (decide(args)) {
            control.paused = 1;
            control.active = 0;
        }
    }
    __syncwarp();
    static_assert(sizeof(Control) % 4 == 0);
    for (std::size_t w = threadIdx.x; w < sizeof(Control) / 4; w += warp)
        reinterpret_cast<volatile unsigned*>(copy)[w] = reinterpret_cast<const volatile unsigned*>(&control)[w];
    __threadfence_system();
}

} // namespace

void measure_lists(const ListArgs& args, cudaStream_t stream) {
    const unsigned blocks = std::min<unsigned>(blocks_for(args.particles, 32 * cells_per_block) + 1, 132 * 8);
    launch_ahead(box_kernel, blocks, warp * cells_per_block, stream, "check of the neighbour lists", args);
    if (args.walls_move && args.boundary_count > 0) {
        launch_ahead(wall_travel_kernel, blocks_for(args.boundary_count, 256), 256, stream,
                     "check of the neighbour lists", args);
    }
    const auto spread = args.bodies.any()   ? args.period.any() ? spread_kernel<true, true> : spread_kernel<false, true>
                          : args.period.any() ? spread_kernel<true, false>
                                            : spread_kernel<false, false>;
    launch_ahead(spread, blocks, warp * cells_per_block, stream, "check of the neighbour lists", args);
}

void decide_lists_together(const ListArgs& args, const AllMaxima& maxima, Control* copy, cudaStream_t stream) {
    launch_ahead(decide_together_kernel, 1, warp, stream, "check of the neighbour lists", args, maxima, copy);
}

void check_lists(const ListArgs& args, unsigned long long handle, cudaStream_t stream) {
    measure_lists(args, stream);
    launch_ahead(decide_kernel, 1, 1, stream, "check of the neighbour lists", args, handle);
}

} // namespace sluice::cuda

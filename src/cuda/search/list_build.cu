// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"
#include "cuda/device/block_size.cuh"
#include "cuda/search/list_search.cuh"

#include <cmath>

namespace sluice::cuda {

namespace {

/// The skin that costs least: wider ones lengthen the lists in proportion to 3 skin/2h, narrower ones are rebuilt
/// after skin/rate steps, at `build_cost` interactions each.
__global__ void skin_kernel(ListArgs args) {
    constexpr float build_cost = 2.0f, narrowest = 0.02f, widest = float(widest_list_skin), first = 0.03f;
    Control& control = *args.control;
    const float rate = control.spread_rate / args.support; // support radii a step
    float skin = rate > 0 ? sqrtf(build_cost * rate / 3) : first;
    skin = fminf(fmaxf(skin, narrowest), widest);
    control.skin = args.fixed_skin > 0 ? args.fixed_skin : skin * args.support;
    control.rebuild = 0;
    control.steps_since_build = 0;
    control.spread_bits = 0;
    control.travel_bits = 0;
    control.wall_travel_bits = 0;
    control.body_cells = 0;
    control.body_spread_bits = 0;
    control.vacated = 0;
    control.agree_on_spread();
    control.occupied = 0;
}

__global__ void origin_kernel(ListArgs args) {
    const std::uint32_t i = (args.walls_move ? 0 : args.boundary_count) + blockIdx.x * blockDim.x + threadIdx.x;
    if (i < args.particles) args.origin[i] = args.position[i];
}

__global__ void occupied_kernel(ListArgs args) {
    const std::uint32_t cell = blockIdx.x * blockDim.x + threadIdx.x;
    const bool holds = cell < args.view.grid.cells() && args.view.fluid.begin[cell] != args.view.fluid.begin[cell + 1];
    const unsigned holders = __ballot_sync(all_lanes, holds);
    const int lane = threadIdx.x & (warp - 1);
    unsigned slot = 0;
    if (lane == 0 && holders) slot = atomicAdd(&args.control->occupied, unsigned(__popc(holders)));
    slot = __shfl_sync(all_lanes, slot, 0);
    if (holds) args.occupied[slot + __popc(holders & ((1u << lane) - 1))] = cell;
}

/// A tile whose lists found no room.
__device__ void leave_out(const ListArgs& args, std::uint32_t tile) {
    if (threadIdx.x == 0) args.lists.tile_lengths[tile] = ListView::overflowing;
}

/// A lane's own particle as an entry of its list, whose rows are in shared memory.
__device__ std::uint32_t self_entry(const ListView& lists, std::uint32_t i, const BuildMemory& memory) {
    constexpr int own_row = list_rows / 2;
    if (!lists.is_short()) return i;
    return (own_row << row_shift) + (i - memory.row_begins[own_row * warp + threadIdx.x % warp]);
}

/// Where the rows of the own part begin, for entries that count from there.
__device__ void write_row_starts(const ListView& lists, std::uint32_t tile, const BuildMemory& memory) {
    const int lane = threadIdx.x % warp;
    for (int row = threadIdx.x / warp; row < list_rows; row += builders)
        lists.row_starts[(std::size_t(tile) * list_rows + row) * warp + lane] = memory.row_begins[row * warp + lane];
}

/// The lists of a tile some of whose particles may see others across periodic sides, written part by part.
class ListOfParts {
public:
    __device__ ListOfParts(const ListArgs& args, std::uint32_t tile, std::uint32_t i, const BuildMemory& memory)
        : args_(args), memory_(memory), parts_(args.lists.parts(tile, threadIdx.x % warp)), tile_(tile), i_(i),
          out_(args.lists.entries + std::size_t(tile) * args.lists.tile_capacity * warp + threadIdx.x % warp) {}

    /// Whether all that was added found room. The same for all lanes, as is what they add.
    __device__ bool fits() const { return fits_; }

    /// The neighbours of the particles themselves; `valid`: whether this lane has one.
    __device__ void add_own(const Found& found, bool valid) {
        self_ = valid ? self_entry(args_.lists, i_, memory_) : 0;
        if (args_.lists.is_short()) write_row_starts(args_.lists, tile_, memory_);
        append(found);
    }

    /// What their images see that are displaced from `cell` and what is in it by `shift`.
    __device__ void add_image(const Found& found, int image, const Seeker& seeker, const CellCoordinates& cell,
                              const Units64& shift) {
        if (!__any_sync(all_lanes, found.total > 0)) return;
        if (count_ == ListView::most_parts) {
            fits_ = false;
            return;
        }
        const CellCoordinates by = cell_around(args_.view.grid, shift);
        ListPart part;
        part.first_eight = unsigned(eights_);
        part.image = unsigned(image);
        part.cells_below = found.total > 0 ? unsigned(cell.x + by.x - found.first_x + 2) : 0;
        part.carry_y = found.total > 0 ? unsigned(seeker.cell.y - (cell.y + by.y)) : 0;
        part.carry_z = found.total > 0 ? unsigned(seeker.cell.z - (cell.z + by.z)) : 0;
        if (threadIdx.x < warp) parts_[count_] = part;
        ++count_;
        if (args_.lists.is_short()) self_ = ListView::self_row << row_shift;
        append(found);
    }

    /// Fills the lists up to the longest and says how long they are.
    __device__ void end() {
        const ListView& lists = args_.lists;
        const int chunks = warp_max(eights_) * chunks_per_eight();
        const std::uint32_t word = lists.is_short() ? self_ | self_ << 16 : self_;
        for (int g = eights_ * chunks_per_eight() + int(threadIdx.x) / warp; g < chunks; g += builders)
            out_[g * warp] = {word, word, word, word};
        if (threadIdx.x < warp) parts_[count_] = {ListPart::no_eight, 0, 0, 0, 0};
        if (threadIdx.x == 0) lists.tile_lengths[tile_] = std::uint16_t(chunks | ListView::in_parts);
    }

private:
    __device__ int chunks_per_eight() const { return 8 / ListView::entries_per_chunk(args_.lists.is_short()); }
    __device__ void append(const Found& found) {
        const int eights = (found.total + 7) / 8, room = int(args_.lists.tile_capacity) - list_part_chunks;
        fits_ &= __all_sync(all_lanes, found.fits) && warp_max(eights_ + eights) * chunks_per_eight() <= room;
        if (!fits_) return;
        write_lists(args_.lists, memory_, found.total, self_, out_ + eights_ * chunks_per_eight() * warp,
                    eights * chunks_per_eight());
        eights_ += eights;
    }

    const ListArgs& args_;
    const BuildMemory& memory_;
    ListPart* parts_;
    std::uint32_t tile_, i_;
    uint4* out_;
    std::uint32_t self_ = 0; ///< what fills the part up that is being written
    int eights_ = 0;         ///< that this lane has
    int count_ = 0;          ///< parts of images
    bool fits_ = true;
};

/// The lists of such a tile. `own`: its particles, in the grid.
__device__ void build_parts(const ListArgs& args, std::uint32_t tile, std::uint32_t i, const Seeker& own,
                            const Units64& here, float radius, const BuildMemory& memory) {
    const long long reach = static_cast<long long>(radius) + 1;
    ListOfParts list(args, tile, i, memory);
    list.add_own(find_neighbours(args, own, radius * radius, memory), own.seeks);
    args.period.for_each_image([&](int image, const Units64& shift) {
        const Units64 there = here + shift;
        const Seeker seeker{displaced(own.at, shift), cell_around(args.view.grid, there),
                            own.seeks && near_domain(args.view.grid, there, reach)};
        if (!__syncthreads_or(seeker.seeks) || !list.fits()) return;
        list.add_image(find_neighbours(args, seeker, radius * radius, memory), image, seeker, own.cell, shift);
    });
    list.fits() ? list.end() : leave_out(args, tile);
}

/// One block a tile.
template <bool Periodic>
__global__ void __launch_bounds__(build_threads) build_kernel(const __grid_constant__ ListArgs args) {
    extern __shared__ __align__(16) char shared[];
    const BuildMemory memory(shared, args.slots_per_residue);
    const std::uint32_t tile = blockIdx.x, first = args.own_first + tile * warp, i = first + threadIdx.x % warp;
    const std::uint32_t alive = args.control->alive;
    if (first >= alive) return;
    const bool valid = i < alive;
    const Seeker own{valid ? load16(args.position + i) : Position{},
                     cell_coordinates(args.view.grid, valid ? args.view.cell[i] : 0), valid};
    const float radius = (args.support + args.control->skin) / args.view.grid.unit * 1.00002f;
    if constexpr (Periodic) {
        const Units64 here = unwrap(args.view.grid, own.at, valid ? args.view.cell[i] : 0);
        if (__syncthreads_or(valid && sees_across(args, here, static_cast<long long>(radius) + 1)))
            return build_parts(args, tile, i, own, here, radius, memory);
    }
    const Found found = find_neighbours(args, own, radius * radius, memory);
    const ListView& lists = args.lists;
    const int per_chunk = ListView::entries_per_chunk(lists.is_short()),
              chunks = (warp_max(found.total) + per_chunk - 1) / per_chunk,
              room = int(lists.tile_capacity) - (Periodic ? list_part_chunks : 0); // the same with and without parts
    if (!__all_sync(all_lanes, found.fits) || chunks > room) return leave_out(args, tile);
    uint4* const out = lists.entries + std::size_t(tile) * lists.tile_capacity * warp + threadIdx.x % warp;
    write_lists(lists, memory, found.total, valid ? self_entry(lists, i, memory) : 0, out, chunks);
    if (lists.is_short()) write_row_starts(lists, tile, memory);
    if (threadIdx.x == 0) lists.tile_lengths[tile] = std::uint16_t(chunks);
}

/// Occupied cells, and the lists of the particles at `position`.
void fill_lists(ListArgs args, const Position* position, cudaStream_t stream) {
    args.position = position;
    const std::uint32_t fluid = args.particles - args.own_first;
    occupied_kernel<<<blocks_for(args.view.grid.cells(), 256), 256, 0, stream>>>(args);
    check_launch("occupied cells");
    if (args.bodies.any()) build_body_lists(args, stream);
    if (fluid == 0) return;
    const auto kernel = args.period.any() ? build_kernel<true> : build_kernel<false>;
    const int shared_bytes = build_shared_bytes(args.slots_per_residue);
    allow_shared_memory(kernel, shared_bytes);
    kernel<<<blocks_for(fluid, warp), build_threads, shared_bytes, stream>>>(args);
    check_launch("build of the neighbour lists");
}

} // namespace

void build_lists(const ListArgs& args, cudaStream_t stream) {
    const std::uint32_t moving = args.walls_move ? args.particles : args.particles - args.boundary_count;
    skin_kernel<<<1, 1, 0, stream>>>(args);
    check_launch("skin of the neighbour lists");
    if (moving > 0) {
        origin_kernel<<<blocks_for(moving, 256), 256, 0, stream>>>(args);
        check_launch("positions at the build of the neighbour lists");
    }
    fill_lists(args, args.position, stream);
}

void restore_lists(const ListArgs& args, cudaStream_t stream) { fill_lists(args, args.origin, stream); }

} // namespace sluice::cuda

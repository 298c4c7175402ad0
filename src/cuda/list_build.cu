// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"
#include "cuda/block_size.cuh"
#include "cuda/neighbour_lists.h"
#include "cuda/reduce.cuh"

#include <climits>
#include <cmath>

namespace sluice::cuda {

namespace {

// The lists of a tile are built in shared memory by four warps: lane l of each tests particle l of the tile against the
// candidates of two residues modulo 8. Entries are 16 bits, slot by slot, lanes side by side.
constexpr int builders = 4;
constexpr int build_threads = builders * warp;
constexpr int residues_per_warp = 8 / builders;
constexpr int slot_bytes = warp * 2;
constexpr int residue_stride = 8 * slot_bytes; // from one entry of a residue to the next
constexpr int rows_bytes = list_rows * warp * 4;
constexpr int stage_bytes = build_threads * 16;
/// Shared memory of a build, of which the entries come first.
SLUICE_HD constexpr int entries_bytes(int slots_per_residue) { return slots_per_residue * residue_stride; }
constexpr int build_shared_bytes(int slots_per_residue) {
    return entries_bytes(slots_per_residue) + rows_bytes + stage_bytes;
}
constexpr int row_shift = ListView::row_shift;
constexpr std::uint32_t longest_row = 1u << row_shift;

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
    control.agree_on_spread();
    control.occupied = 0;
    ++control.rebuilds;
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

/// A position as seen from another one, units.
__device__ float3 relative(const Position& p, int x, int y, int z) {
    return {float(int(unsigned(p.x) - unsigned(x))), float(int(unsigned(p.y) - unsigned(y))),
            float(int(unsigned(p.z) - unsigned(z)))};
}

/// Where the next entry of each residue of this warp goes: addresses in shared memory.
struct ResidueSlots {
    unsigned next[residues_per_warp];
    unsigned base, last;

    __device__ static int residue(int k) { return int(threadIdx.x) / warp * residues_per_warp + k; }
    __device__ static unsigned start(int k) {
        const int lane = threadIdx.x % warp;
        return unsigned(((residue(k) - lane) & 7) * slot_bytes + lane * 2);
    }
    __device__ ResidueSlots(const char* entries, int slots)
        : base(unsigned(__cvta_generic_to_shared(entries))), last(base + unsigned(entries_bytes(slots))) {
#pragma unroll
        for (int k = 0; k < residues_per_warp; ++k) next[k] = base + start(k);
    }
    __device__ int count(int k) const { return int(next[k] - base - start(k)) / residue_stride; }
};

/// Stores an entry and moves on to the residue's next slot if r2 < radius2; counts on, but stores nothing, beyond the
/// last slot. Predicated by hand: as branches the 32 lanes would take turns.
__device__ void store_if_near(float r2, float radius2, unsigned& slot, unsigned last, unsigned entry) {
    asm volatile("{\n\t"
                 ".reg .pred near, room;\n\t"
                 "setp.lt.f32 near, %1, %2;\n\t"
                 "setp.lt.and.u32 room, %0, %4, near;\n\t"
                 "@room st.shared.u16 [%0], %3;\n\t"
                 "@near add.u32 %0, %0, %5;\n\t"
                 "}"
                 : "+r"(slot)
                 : "f"(r2), "f"(radius2), "h"(std::uint16_t(entry)), "r"(last), "n"(residue_stride)
                 : "memory");
}

/// Tests the staged candidates of this warp's residues against every lane's particle.
__device__ void test_candidates(const float4* stage, int candidates, std::uint32_t code, float3 target, float radius2,
                                ResidueSlots& slots) {
    const int mine = ResidueSlots::residue(0);
#pragma unroll 4
    for (int first = mine; first < candidates; first += 8) {
#pragma unroll
        for (int k = 0; k < residues_per_warp; ++k) {
            const float4 q = stage[first + k];
            const float dx = target.x - q.x, dy = target.y - q.y, dz = target.z - q.z;
            const float r2 = fmaf(dx, dx, fmaf(dy, dy, dz * dz));
            store_if_near(r2, radius2, slots.next[k], slots.last, code + first + k);
        }
    }
}

/// Collects the neighbours of a group of lanes whose cells lie in one row of the grid.
__device__ bool collect_group(const ListArgs& args, unsigned group, bool mine, const Position& p, CellCoordinates c,
                              float radius2, ResidueSlots& slots, std::uint32_t* row_begins, float4* stage) {
    const int lane = threadIdx.x % warp;
    const FixedGrid& grid = args.view.grid;
    const int leader = __ffs(group) - 1;
    const int x = __shfl_sync(all_lanes, p.x, leader), y = __shfl_sync(all_lanes, p.y, leader),
              z = __shfl_sync(all_lanes, p.z, leader);
    const int cy = __shfl_sync(all_lanes, c.y, leader), cz = __shfl_sync(all_lanes, c.z, leader);
    const int x0 = max(warp_min(mine ? c.x : INT_MAX) - 1, 0),
              x1 = min(warp_max(mine ? c.x : INT_MIN) + 1, grid.nx - 1);
    const float far = 1e18f;
    const float3 target = mine ? relative(p, x, y, z) : float3{far, far, far};
    bool fits = true;
    for (int row = 0; row < list_rows; ++row) {
        const int ry = cy + row % 3 - 1, rz = cz + row / 3 - 1;
        if (ry < 0 || ry >= grid.ny || rz < 0 || rz >= grid.nz) continue;
        const std::uint32_t first = cell_index(grid, {x0, ry, rz});
        const std::uint32_t begin = args.view.fluid.base + args.view.fluid.begin[first];
        const std::uint32_t end = args.view.fluid.base + args.view.fluid.begin[first + (x1 - x0) + 1];
        const std::uint32_t aligned = begin & ~7u;
        if (mine && threadIdx.x < warp) row_begins[row * warp + lane] = aligned;
        if (end - aligned > longest_row) {
            fits = false;
            continue;
        }
        for (std::uint32_t chunk = aligned; chunk < end; chunk += build_threads) {
            const std::uint32_t j = chunk + threadIdx.x;
            float3 q{-far, -far, -far};
            if (j >= begin && j < end) q = relative(load16(args.position + j), x, y, z);
            __syncthreads();
            stage[threadIdx.x] = {q.x, q.y, q.z, 0};
            __syncthreads();
            test_candidates(stage, min(int(end - chunk), build_threads), (row << row_shift) + (chunk - aligned), target,
                            radius2, slots);
        }
    }
    return fits || !mine;
}

/// Reads the entries of one lane in order: holes left by residues that ran out are filled with what other residues
/// have too many of, so that the list has no gaps.
class EntryReader {
public:
    /// Starts at entry `first`.
    __device__ EntryReader(const char* entries, const std::uint8_t* counts, const std::uint32_t* row_begins, int total,
                           int first)
        : entries_(entries), counts_(counts), row_begins_(row_begins), lane_(threadIdx.x % warp), total_(total) {
        int holes = 0; // before the first entry
        for (int r = 0; r < 8; ++r) holes += max(0, rounds_below(first, (r - lane_) & 7) - count(r));
        for (; holes > 0; --holes) next_surplus();
    }

    /// Row and place of entry k.
    __device__ std::uint32_t code(int k) {
        const int slot = k / 8 < count(k + lane_) ? k : next_surplus();
        return *reinterpret_cast<const std::uint16_t*>(entries_ + slot * slot_bytes + lane_ * 2);
    }
    __device__ std::uint32_t particle(int k) {
        const std::uint32_t c = code(k);
        return row_begins_[ListView::row_of(c) * warp + lane_] + ListView::place_of(c);
    }

private:
    __device__ int count(int residue) const { return counts_[(residue & 7) * warp + lane_]; }
    /// How many slots below `end` are congruent to `offset`.
    __device__ static int rounds_below(int end, int offset) { return end > offset ? (end - offset + 7) / 8 : 0; }
    /// The next slot at or behind the end of the list that holds an entry.
    __device__ int next_surplus() {
        while (round_ >= count_) {
            ++residue_;
            offset_ = (residue_ - lane_) & 7;
            round_ = rounds_below(total_, offset_);
            count_ = count(residue_);
        }
        return 8 * round_++ + offset_;
    }

    const char* entries_;
    const std::uint8_t* counts_;
    const std::uint32_t* row_begins_;
    int lane_, total_;
    int residue_ = -1, offset_ = 0, round_ = 0, count_ = 0;
};

/// Entry k of a lane, as the lists hold it. What fills a list up is the particle itself: nothing acts on itself.
struct ListWriter {
    EntryReader reader;
    int total;
    std::uint32_t self;

    __device__ std::uint32_t particle(int k) { return k < total ? reader.particle(k) : self; }
    __device__ std::uint32_t code(int k) { return k < total ? reader.code(k) : self; }
    __device__ std::uint32_t two_codes(int k) {
        const std::uint32_t first = code(k); // the reader goes forward only
        return first | code(k + 1) << 16;
    }
};

/// Writes chunks first … end−1 of the lists of a tile.
__device__ void write_lists(const ListView& lists, std::uint32_t tile, ListWriter from, int first, int end) {
    uint4* out = lists.entries + std::size_t(tile) * lists.tile_capacity * warp + threadIdx.x % warp;
    for (int g = first; g < end; ++g) {
        uint4 four;
        if (lists.is_short()) {
            four.x = from.two_codes(8 * g);
            four.y = from.two_codes(8 * g + 2);
            four.z = from.two_codes(8 * g + 4);
            four.w = from.two_codes(8 * g + 6);
        } else {
            four.x = from.particle(4 * g);
            four.y = from.particle(4 * g + 1);
            four.z = from.particle(4 * g + 2);
            four.w = from.particle(4 * g + 3);
        }
        out[g * warp] = four;
    }
}

/// Whether a particle is so near to a periodic side that it may see others across it before the next build.
__device__ bool is_at_periodic_side(const ListArgs& args, const Position& p, std::uint32_t cell) {
    const Units64 here = unwrap(args.view.grid, p, cell);
    bool is_near = false;
    args.period.for_each_shift([&](const Units64& shift) {
        is_near |= near_domain(args.view.grid, here + shift, 1ll << args.view.grid.cell_bits);
    });
    return is_near;
}

/// One block a tile.
template <bool Periodic>
__global__ void __launch_bounds__(build_threads) build_kernel(const __grid_constant__ ListArgs args) {
    extern __shared__ __align__(16) char shared[];
    char* const entries = shared;
    const int entries_end = entries_bytes(args.slots_per_residue);
    auto* const stage = reinterpret_cast<float4*>(shared + entries_end);
    auto* const row_begins = reinterpret_cast<std::uint32_t*>(shared + entries_end + stage_bytes);
    const int lane = threadIdx.x % warp, builder = threadIdx.x / warp;
    const std::uint32_t tile = blockIdx.x, i = args.own_first + tile * warp + lane;
    const std::uint32_t alive = args.control->alive;
    if (args.own_first + tile * warp >= alive) return;
    const bool valid = i < alive;
    const Position p = valid ? load16(args.position + i) : Position{};
    const CellCoordinates c = cell_coordinates(args.view.grid, valid ? args.view.cell[i] : 0);
    if constexpr (Periodic) {
        if (__syncthreads_or(valid && is_at_periodic_side(args, p, args.view.cell[i]))) {
            if (threadIdx.x == 0) args.lists.tile_lengths[tile] = ListView::overflowing;
            return;
        }
    }
    const float radius = (args.support + args.control->skin) / args.view.grid.unit * 1.00002f;
    if (builder == 0)
        for (int row = 0; row < list_rows; ++row) row_begins[row * warp + lane] = 0;

    ResidueSlots slots(entries, args.slots_per_residue);
    bool fits = true;
    unsigned todo = __ballot_sync(all_lanes, valid);
    while (todo) {
        const int leader = __ffs(todo) - 1;
        const int ly = __shfl_sync(all_lanes, c.y, leader), lz = __shfl_sync(all_lanes, c.z, leader),
                  lx = __shfl_sync(all_lanes, c.x, leader);
        const bool mine = (todo >> lane & 1) && c.y == ly && c.z == lz && abs(c.x - lx) < 32;
        const unsigned group = __ballot_sync(all_lanes, mine);
        todo &= ~group;
        fits &= collect_group(args, group, mine, p, c, radius * radius, slots, row_begins, stage);
    }
    __syncthreads();
    auto* const counts = reinterpret_cast<std::uint8_t*>(stage); // the stage is free now
#pragma unroll
    for (int k = 0; k < residues_per_warp; ++k) {
        fits &= slots.count(k) <= args.slots_per_residue;
        counts[ResidueSlots::residue(k) * warp + lane] = std::uint8_t(min(slots.count(k), 255));
    }
    const bool all_fit = __syncthreads_and(fits);
    int total = 0;
    for (int r = 0; r < 8; ++r) total += counts[r * warp + lane];
    const ListView& lists = args.lists;
    const int per_chunk = ListView::entries_per_chunk(lists.is_short()),
              chunks = (warp_max(total) + per_chunk - 1) / per_chunk;
    if (!all_fit || chunks > int(lists.tile_capacity)) {
        if (threadIdx.x == 0) {
            lists.tile_lengths[tile] = ListView::overflowing;
            atomicAdd(&args.control->list_overflows, 1u);
        }
        return;
    }
    constexpr int own_row = list_rows / 2;
    const std::uint32_t self = lists.is_short() ? (own_row << row_shift) + (i - row_begins[own_row * warp + lane]) : i;
    const int a_warps = (chunks + builders - 1) / builders, first = min(builder * a_warps, chunks); // a warp's chunks
    const EntryReader reader(entries, counts, row_begins, total, min(per_chunk * first, total));
    write_lists(lists, tile, {reader, total, valid ? self : 0}, first, min(first + a_warps, chunks));
    if (lists.is_short())
        for (int row = builder; row < list_rows; row += builders)
            lists.row_starts[(std::size_t(tile) * list_rows + row) * warp + lane] = row_begins[row * warp + lane];
    if (threadIdx.x == 0) lists.tile_lengths[tile] = std::uint16_t(chunks);
}

/// Occupied cells, and the lists of the particles at `position`.
void fill_lists(ListArgs args, const Position* position, cudaStream_t stream) {
    args.position = position;
    const std::uint32_t fluid = args.particles - args.own_first;
    occupied_kernel<<<blocks_for(args.view.grid.cells(), 256), 256, 0, stream>>>(args);
    check_launch("occupied cells");
    if (fluid == 0) return;
    const auto kernel = args.period.any() ? build_kernel<true> : build_kernel<false>;
    const int shared_bytes = build_shared_bytes(args.slots_per_residue);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
          "shared memory of the list build");
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

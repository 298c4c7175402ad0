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

/// What the threads of a block share: entries of the lists, candidates, and where the lanes' rows begin.
struct BuildMemory {
    char* entries;
    float4* stage;
    std::uint32_t* row_begins;

    __device__ BuildMemory(char* shared, int slots_per_residue)
        : entries(shared), stage(reinterpret_cast<float4*>(shared + entries_bytes(slots_per_residue))),
          row_begins(reinterpret_cast<std::uint32_t*>(shared + entries_bytes(slots_per_residue) + stage_bytes)) {}
    /// Entries of each residue and lane, in place of the candidates.
    __device__ std::uint8_t* counts() const { return reinterpret_cast<std::uint8_t*>(stage); }
};

/// A particle, or an image of it, whose neighbours are looked for.
struct Seeker {
    Position at;
    CellCoordinates cell; ///< may lie outside the grid
    bool seeks;
};

/// Collects the neighbours of a group of lanes whose cells lie in one row of the grid. `first_x`: where their rows
/// begin, for those `mine`.
__device__ bool collect_group(const ListArgs& args, unsigned group, bool mine, const Seeker& seeker, float radius2,
                              ResidueSlots& slots, const BuildMemory& memory, int& first_x) {
    const int lane = threadIdx.x % warp;
    const FixedGrid& grid = args.view.grid;
    const Position& p = seeker.at;
    const CellCoordinates& c = seeker.cell;
    float4* const stage = memory.stage;
    const int leader = __ffs(group) - 1;
    const int x = __shfl_sync(all_lanes, p.x, leader), y = __shfl_sync(all_lanes, p.y, leader),
              z = __shfl_sync(all_lanes, p.z, leader);
    const int cy = __shfl_sync(all_lanes, c.y, leader), cz = __shfl_sync(all_lanes, c.z, leader);
    const int x0 = max(warp_min(mine ? c.x : INT_MAX) - 1, 0),
              x1 = min(warp_max(mine ? c.x : INT_MIN) + 1, grid.nx - 1);
    if (mine) first_x = x0;
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
        if (mine && threadIdx.x < warp) memory.row_begins[row * warp + lane] = aligned;
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

/// What a lane has found.
struct Found {
    int total = 0;
    int first_x = 0;   ///< cells of its rows begin there
    bool fits = false; ///< what all lanes have found
};

/// Collects the neighbours of all lanes, with all threads of the block. Whoever has read the last ones must be done.
__device__ Found find_neighbours(const ListArgs& args, const Seeker& seeker, float radius2, const BuildMemory& memory) {
    const int lane = threadIdx.x % warp;
    if (threadIdx.x < warp)
        for (int row = 0; row < list_rows; ++row) memory.row_begins[row * warp + lane] = 0;
    ResidueSlots slots(memory.entries, args.slots_per_residue);
    const CellCoordinates& c = seeker.cell;
    Found found;
    bool fits = true;
    unsigned todo = __ballot_sync(all_lanes, seeker.seeks);
    while (todo) {
        const int leader = __ffs(todo) - 1;
        const int ly = __shfl_sync(all_lanes, c.y, leader), lz = __shfl_sync(all_lanes, c.z, leader),
                  lx = __shfl_sync(all_lanes, c.x, leader);
        const bool mine = (todo >> lane & 1) && c.y == ly && c.z == lz && abs(c.x - lx) < 32;
        const unsigned group = __ballot_sync(all_lanes, mine);
        todo &= ~group;
        fits &= collect_group(args, group, mine, seeker, radius2, slots, memory, found.first_x);
    }
    __syncthreads();
    std::uint8_t* const counts = memory.counts(); // the stage is free now
#pragma unroll
    for (int k = 0; k < residues_per_warp; ++k) {
        fits &= slots.count(k) <= args.slots_per_residue;
        counts[ResidueSlots::residue(k) * warp + lane] = std::uint8_t(min(slots.count(k), 255));
    }
    found.fits = __syncthreads_and(fits);
    for (int r = 0; r < 8; ++r) found.total += counts[r * warp + lane];
    return found;
}

/// Reads the entries of one lane in order: holes left by residues that ran out are filled with what other residues
/// have too many of, so that the list has no gaps.
class EntryReader {
public:
    /// Starts at entry `first`.
    __device__ EntryReader(const BuildMemory& memory, int total, int first)
        : entries_(memory.entries), counts_(memory.counts()), row_begins_(memory.row_begins), lane_(threadIdx.x % warp),
          total_(total) {
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

/// Writes the lanes' lists, or their next parts, to `out`: this warp's share of `chunks` chunks. `self`: what fills
/// them up.
__device__ void write_lists(const ListView& lists, const BuildMemory& memory, int total, std::uint32_t self, uint4* out,
                            int chunks) {
    const int builder = threadIdx.x / warp, per_chunk = ListView::entries_per_chunk(lists.is_short());
    const int a_warps = (chunks + builders - 1) / builders, first = min(builder * a_warps, chunks),
              end = min(first + a_warps, chunks);
    ListWriter from{EntryReader(memory, total, min(per_chunk * first, total)), total, self};
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
        fits_ &= found.fits && warp_max(eights_ + eights) * chunks_per_eight() <= room;
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

/// Whether a particle at `here`, or an image of it, may see others across a periodic side before the next build.
__device__ bool sees_across(const ListArgs& args, const Units64& here, long long reach) {
    bool is_near = false;
    args.period.for_each_shift(
        [&](const Units64& shift) { is_near |= near_domain(args.view.grid, here + shift, reach); });
    return is_near;
}

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
    if (!found.fits || chunks > room) return leave_out(args, tile);
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

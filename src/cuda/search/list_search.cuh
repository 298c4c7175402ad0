// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/reduce.cuh"
#include "cuda/pairs/neighbour_lists.h"

#include <climits>

// How the lists of 32 particles are built by a block: their neighbours are found in cells, and written as entries.

namespace sluice::cuda {

// The lists of a tile are built in shared memory by four warps: lane l of each tests particle l of the tile against the
// candidates of two residues modulo 8. Entries are 16 bits, slot by slot, lanes side by side.
inline constexpr int builders = 4;
inline constexpr int build_threads = builders * warp;
inline constexpr int residues_per_warp = 8 / builders;
inline constexpr int slot_bytes = warp * 2;
inline constexpr int residue_stride = 8 * slot_bytes; // from one entry of a residue to the next
inline constexpr int rows_bytes = list_rows * warp * 4;
inline constexpr int stage_bytes = build_threads * 16;
/// Shared memory of a build, of which the entries come first.
SLUICE_HD inline constexpr int entries_bytes(int slots_per_residue) { return slots_per_residue * residue_stride; }
inline constexpr int build_shared_bytes(int slots_per_residue) {
    return entries_bytes(slots_per_residue) + rows_bytes + stage_bytes;
}
inline constexpr int row_shift = ListView::row_shift;
inline constexpr std::uint32_t longest_row = 1u << row_shift;

/// A position as seen from another one, units.
__device__ inline float3 relative(const Position& p, int x, int y, int z) {
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
__device__ inline void store_if_near(float r2, float radius2, unsigned& slot, unsigned last, unsigned entry) {
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
__device__ inline void test_candidates(const float4* stage, int candidates, std::uint32_t code, float3 target,
                                       float radius2, ResidueSlots& slots) {
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
    /// Whether what each thread found has had room, behind them.
    __device__ bool* rooms() const { return reinterpret_cast<bool*>(counts() + 8 * warp); }
};

/// A particle, or an image of it, whose neighbours are looked for.
struct Seeker {
    Position at;
    CellCoordinates cell; ///< may lie outside the grid
    bool seeks;
};

/// Collects the neighbours of a group of lanes whose cells lie in one row of the grid. `first_x`: where their rows
/// begin, for those `mine`.
__device__ inline bool collect_group(const ListArgs& args, unsigned group, bool mine, const Seeker& seeker,
                                     float radius2, ResidueSlots& slots, const BuildMemory& memory, int& first_x) {
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
    bool fits = false; ///< whether it has had room
};

/// Collects the neighbours of all lanes, with all threads of the block. Threads must be done with reading the last
/// ones.
__device__ inline Found find_neighbours(const ListArgs& args, const Seeker& seeker, float radius2,
                                        const BuildMemory& memory) {
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
    memory.rooms()[threadIdx.x] = fits;
    __syncthreads();
    found.fits = true;
    for (int b = 0; b < builders; ++b) found.fits &= memory.rooms()[b * warp + lane];
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
__device__ inline void write_lists(const ListView& lists, const BuildMemory& memory, int total, std::uint32_t self,
                                   uint4* out, int chunks) {
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

/// Whether a particle at `here`, or an image of it, may see others across a periodic side before the next build.
__device__ inline bool sees_across(const ListArgs& args, const Units64& here, long long reach) {
    bool is_near = false;
    args.period.for_each_shift(
        [&](const Units64& shift) { is_near |= near_domain(args.view.grid, here + shift, reach); });
    return is_near;
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/block_size.cuh"
#include "cuda/pairs/gather_loops.h"
#include "cuda/pairs/interaction.h"
#include "cuda/pairs/list_kernels.cuh"
#include <type_traits>

// Gathers of every step, one thread a fluid particle: through the neighbour lists where the run has them.

namespace sluice::cuda {

inline constexpr int gather_block = 128;

/// Blocks for all fluid particles.
inline unsigned gather_blocks(const InteractionArgs& args) {
    return blocks_for(args.particles - args.own_first, gather_block);
}

/// Whether this thread has a fluid particle that is still in the run; `i`: its index.
__device__ inline bool has_fluid_particle(const InteractionArgs& args, std::uint32_t& i) {
    i = args.own_first + blockIdx.x * gather_block + threadIdx.x;
    return args.control->active && i < args.particles && args.view.cell[i] != args.step.excluded_cell;
}

/// Finds the fluid around a particle through the neighbour lists, whose entries are `Entries`. Listed neighbours may be
/// farther than the support: they add nothing.
template <class Entries>
struct ListedFluid {
    using Shared = typename Entries::Shared;

    template <class Op, class Sides>
    __device__ static void add(const InteractionArgs& args, const ListView& lists, Shared& shared,
                               const GatherConstants<Op>& c, const Sides& sides, const GatherTarget<Op>& a,
                               std::uint32_t i, bool searches, GatherSums<Op>& sums) {
        if (!searches) return;
        const std::uint32_t k = i - args.own_first, tile = k / 32;
        const std::uint16_t length = lists.tile_lengths[tile];
        if (length == ListView::overflowing) return add_fluid(args.view, c, sides, args.period, a, sums);
        const int chunks = ListView::chunks_of(length);
        Entries entries(lists, shared, tile);
        const uint4* const list = lists.entries + std::size_t(tile) * lists.tile_capacity * 32 + k % 32;
        const auto add_listed = [&](auto parts) {
            Target seen_from = a.at;
            uint4 next = chunks > 0 ? __ldcs(list) : uint4{};
            for (int g = 1; g <= chunks; ++g) {
                const uint4 chunk = next;
                if (g < chunks) next = __ldcs(list + g * 32);
                parts.go_to(g - 1, seen_from, [&](int row, std::uint32_t start) { entries.use_row(row, start); });
                entries.for_each(chunk, [&](std::uint32_t j) {
                    add_neighbour(args.view, c.fluid, sides, seen_from, a.own, j, sums);
                });
            }
        };
        if (length == chunks)
            add_listed(OnePart{});
        else
            add_listed(PartsOfList(args.view, args.period, lists.parts(tile, k % 32), 8 / Entries::per_chunk, i));
    }
};

/// Finds it by the coarse search, for versions without lists. What the search finds beyond the support adds nothing.
struct SearchedFluid {
    struct Shared {
        uint2 rings[gather_block / 32 * HitRing<>::bytes_per_warp / sizeof(uint2)];
    };

    template <class Op, class Sides>
    __device__ static void add(const InteractionArgs& args, const ListView&, Shared& shared,
                               const GatherConstants<Op>& c, const Sides& sides, const GatherTarget<Op>& a,
                               std::uint32_t, bool searches, GatherSums<Op>& sums) {
        const InteractionView& v = args.view;
        visit_near(v, a.at.position(), SearchedRows{v.grid, v.fluid}, a.cell, searches, shared.rings,
                   [&](std::uint32_t j) { add_neighbour(v, c.fluid, sides, a.at, a.own, j, sums); });
        if (args.period.any())
            visit_near_images(
                args, a.at, v.fluid, a.cell, searches, shared.rings,
                [&](const Target& image, std::uint32_t j) { add_neighbour(v, c.fluid, sides, image, a.own, j, sums); });
    }
};

/// Blocks that a multiprocessor is to have room for: long lists must be read, and warps that read wait.
template <class Fluid>
inline constexpr int gather_blocks_at_once = std::is_same_v<Fluid, SearchedFluid> ? 6 : 8;

/// Calls `use(…Fluid{})` with how the fluid around a particle is found.
template <class Use>
void with_fluid_search(const ListView& lists, Use&& use) {
    if (!lists.entries)
        use(SearchedFluid{});
    else if (lists.is_short())
        use(ListedFluid<ShortEntries<true>>{});
    else
        use(ListedFluid<LongEntries>{});
}

/// The sums of fluid particle i. All threads of a block must call this; those with `searches` false find nothing.
template <class Fluid, class Op, class Sides>
__device__ GatherSums<Op> gather_sums(const InteractionArgs& args, const ListView& lists,
                                      typename Fluid::Shared& shared, const GatherConstants<Op>& c, const Sides& sides,
                                      std::uint32_t i, bool searches) {
    const GatherTarget<Op> a = gather_target<Op>(args.view, sides, searches ? i : args.own_first);
    GatherSums<Op> sums;
    Fluid::add(args, lists, shared, c, sides, a, i, searches, sums);
    if (searches) add_boundary(args.view, c, sides, args.period, a, sums);
    return sums;
}

} // namespace sluice::cuda

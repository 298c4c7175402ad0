// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/block_size.cuh"
#include "cuda/gather_loops.h"
#include "cuda/interaction.h"
#include "cuda/neighbour_lists.h"

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

/// Calls `use(j)` with the entries of the list of the k-th fluid particle.
template <class Use>
__device__ void for_each_listed(const ListView& lists, std::uint32_t k, int chunks, Use&& use) {
    const std::uint32_t tile = k / 32, lane = k % 32;
    const uint4* const list = lists.entries + std::size_t(tile) * lists.tile_capacity * 32 + lane;
    const std::uint32_t* const row_starts =
        lists.is_short() ? lists.row_starts + std::size_t(tile) * list_rows * 32 + lane : nullptr;
    const auto two_short = [&](std::uint32_t two) {
        for (const std::uint32_t entry : {two & 0xffffu, two >> 16})
            use(row_starts[ListView::row_of(entry) * 32] + ListView::place_of(entry));
    };
    for (int g = 0; g < chunks; ++g) {
        const uint4 chunk = __ldcs(list + g * 32);
        for (const std::uint32_t word : {chunk.x, chunk.y, chunk.z, chunk.w}) row_starts ? two_short(word) : use(word);
    }
}

/// The sums of fluid particle i. Listed neighbours may be farther than the support: they add nothing. `lists`: without
/// entries where the run has none.
template <class Op, class Sides>
__device__ GatherSums<Op> gather_sums(const InteractionArgs& args, const ListView& lists, const GatherConstants<Op>& c,
                                      const Sides& sides, std::uint32_t i) {
    const InteractionView& v = args.view;
    const std::uint32_t k = i - args.own_first;
    const int chunks = lists.entries ? lists.tile_lengths[k / 32] : ListView::overflowing;
    const GatherTarget<Op> a = gather_target<Op>(v, sides, i);
    GatherSums<Op> sums;
    if (chunks == ListView::overflowing)
        add_fluid(v, c, sides, args.period, a, sums);
    else
        for_each_listed(lists, k, chunks, [&](std::uint32_t j) {
            const Separation s = separation_from(v, a.at, load16(v.position + j));
            Op::add(c.fluid, s.dx, s.dy, s.dz, s.r2, a.own, sides.template of<Op>(j), sums.of);
        });
    add_boundary(v, c, sides, args.period, a, sums);
    return sums;
}

} // namespace sluice::cuda

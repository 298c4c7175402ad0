// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/pairs/around_place.cuh"
#include "physics/sph/wall_extrapolation.h"

// The sums of ghost nodes over the fluid around them (sph::GhostNode): some lanes a node where there are few, a thread
// a node where there are many, or one in each of some warps in between.

namespace sluice::cuda {

/// Lanes that share a ghost node and take the fluid around it in turn.
inline constexpr unsigned ghost_lanes = 8;

/// Which of the candidates start + k ghost_lanes below `end`, up to 32, are near `node` and are taken: bit k. Four are
/// loaded at a time, since few warps are there to wait for one another's.
template <class Takes>
__device__ std::uint32_t near_candidates(const InteractionView& v, const sph::GhostNodeConstants<float>& c,
                                         const Target& node, std::uint32_t start, std::uint32_t end,
                                         const Takes& takes) {
    constexpr std::uint32_t at_once = 4;
    const std::uint32_t count = min((end - start + ghost_lanes - 1) / ghost_lanes, 32u);
    std::uint32_t near = 0;
    for (std::uint32_t first = 0; first < count; first += at_once) {
        Position position[at_once];
        bool is_taken[at_once];
#pragma unroll
        for (std::uint32_t k = 0; k < at_once; ++k) {
            const std::uint32_t j = start + min(first + k, count - 1) * ghost_lanes;
            position[k] = load16(v.position + j);
            is_taken[k] = takes(j);
        }
#pragma unroll
        for (std::uint32_t k = 0; k < at_once; ++k) {
            const bool is_near = separation_from(v, node, position[k]).r2 < c.support2;
            near |= std::uint32_t(is_near & is_taken[k]) << (first + k);
        }
    }
    return count < 32 ? near & ((1u << count) - 1) : near; // behind the last candidate stood the last again
}

/// Adds what the fluid around a place says, every `ghost_lanes`-th candidate from `first` on for which `takes(j)`
/// holds. Candidates are tested before those that hit are visited, so that the lanes of a warp compute together.
template <class Op, class Takes>
__device__ void add_around(const InteractionView& v, const sph::GhostNodeConstants<float>& c, const Units64& place,
                           const SearchRadius& radius, std::uint32_t first, const Takes& takes,
                           float (&sums)[Op::sum_count]) {
    const Target node{prepared(int(place.x)), prepared(int(place.y)), prepared(int(place.z)), {}};
    ImageRows rows{v.grid, v.fluid};
    rows.grid.reach = radius.reach;
    Reach reach = node.reach(v.grid);
    reach.radius2 = radius.squared_cells;
    rows.for_each(cell_around(v.grid, place), reach, [&](Range range) {
        for (std::uint32_t start = range.begin + first; start < range.end; start += 32 * ghost_lanes) {
            std::uint32_t near = near_candidates(v, c, node, start, range.end, takes);
            for (; near; near &= near - 1) {
                const std::uint32_t j = start + lowest_bit(near) * ghost_lanes;
                const Separation s = separation_from(v, node, load16(v.position + j));
                Op::add(c, s.dx, s.dy, s.dz, s.r2, load16(v.flow + j), sums);
            }
        }
    });
}

/// The share of lane `first` in the sums of the ghost node at `node`, across periodic sides too.
template <class Op, class Takes>
__device__ void add_ghost_node(const InteractionArgs& args, const sph::GhostNodeConstants<float>& c,
                               const Units64& node, float one_cell_travel, std::uint32_t first, const Takes& takes,
                               float (&sums)[Op::sum_count]) {
    const InteractionView& v = args.view;
    const SearchRadius radius =
        search_radius(v.grid, 2 * float(args.step.run.h), __uint_as_float(args.control->travel_bits), one_cell_travel);
    add_around<Op>(v, c, node, radius, first, takes, sums);
    args.period.for_each_shift([&](const Units64& shift) {
        if (near_domain(v.grid, node + shift, search_reach))
            add_around<Op>(v, c, node + shift, radius, first, takes, sums);
    });
}

/// The sums of all lanes of each node. All lanes of a warp must call this.
template <int Count>
__device__ void add_lanes(float (&sums)[Count]) {
#pragma unroll
    for (float& sum : sums)
#pragma unroll
        for (unsigned offset = ghost_lanes / 2; offset > 0; offset /= 2) sum += __shfl_xor_sync(all_lanes, sum, offset);
}

/// The sums of the ghost node of this thread, by the coarse search: `args.view` has coarse positions, `coarse_limit` is
/// that of the support. Fluid is added in its order in the cells and what is out of reach adds nothing, so that a sum
/// does not depend on how far the search went. Only fluid for which `takes(j)` holds is added. All lanes of a warp must
/// call this; those with `searches` false find nothing. `shared`: WideRing::bytes_per_warp for every warp of the block.
/// `part`: what one of `Parts` threads adds that share the node.
template <class Op, int Parts = 1, class Takes>
__device__ void sum_ghost_node(const InteractionArgs& args, const sph::GhostNodeConstants<float>& c, int coarse_limit,
                               const Units64& node, float one_cell_travel, bool searches, void* shared,
                               const Takes& takes, float (&sums)[Op::sum_count], int part = 0) {
    const InteractionView& v = args.view;
    const SearchRadius radius =
        search_radius(v.grid, 2 * float(args.step.run.h), __uint_as_float(args.control->travel_bits), one_cell_travel);
    const Target target{prepared(int(node.x)), prepared(int(node.y)), prepared(int(node.z)), {}};
    visit_around<Parts>(
        args, v.fluid, target, node, radius, coarse_limit, searches, shared,
        [&](const Target& image, std::uint32_t j) {
            if (!takes(j)) return;
            const Separation s = separation_from(v, image, load16(v.position + j));
            Op::add(c, s.dx, s.dy, s.dz, s.r2, load16(v.flow + j), sums);
        },
        part);
}

/// Adds up what the warps of a block have for the nodes of their lanes, in the order of the warps: the first has the
/// sums then. All threads of a block must call this. `shared`: room for the sums of all warps but one.
template <int Parts, int Count>
__device__ void add_parts(float (&sums)[Count], int part, float* shared) {
    const unsigned lane = threadIdx.x % warp;
    __syncthreads(); // all threads are done with the former contents
    if (part > 0)
#pragma unroll
        for (int k = 0; k < Count; ++k) shared[((part - 1) * Count + k) * warp + lane] = sums[k];
    __syncthreads();
    if (part == 0)
        for (int other = 1; other < Parts; ++other)
#pragma unroll
            for (int k = 0; k < Count; ++k) sums[k] += shared[((other - 1) * Count + k) * warp + lane];
    __syncthreads();
}

} // namespace sluice::cuda

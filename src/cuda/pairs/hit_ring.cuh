// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/coarse_search.h"
#include "cuda/data/pair_loops.h"

// Neighbours are found and visited in turns: first all lanes of a warp test candidates, then all visit neighbours,
// whatever rows of cells these come from. So lanes compute together although they hit different candidates.

namespace sluice::cuda {

/// Words of hits that a lane has found but not yet visited: a ring in its column of shared memory. The fewer words, the
/// more of the memory is left to the L1 cache; the more, the better short lists wait for long ones. `capacity`: a power
/// of two.
template <unsigned capacity = 8>
class HitRing {
public:
    static constexpr int bytes_per_warp = capacity * 32 * sizeof(uint2);

    /// `shared`: bytes_per_warp for every warp of the block.
    __device__ explicit HitRing(void* shared)
        : column_(static_cast<uint2*>(shared) + threadIdx.x / 32 * capacity * 32 + threadIdx.x % 32) {}

    __device__ void add(const HitWord& word) {
        if (word.bits == 0) return;
        column_[added_++ % capacity * 32] = {word.bits, word.last};
    }
    __device__ bool is_full() const { return added_ - taken_ == capacity; }
    /// Takes the next neighbour out; false if there is none.
    __device__ bool take(std::uint32_t& j) {
        if (word_.bits == 0) {
            if (taken_ == added_) return false;
            const uint2 next = column_[taken_++ % capacity * 32];
            word_ = {next.x, next.y};
        }
        j = take_hit(word_);
        return true;
    }

private:
    uint2* column_;
    unsigned added_ = 0, taken_ = 0;
    HitWord word_; ///< being visited
};

/// How far from a target particles are looked for: in rows of cells, and by the coarse search.
struct SearchLimits {
    Reach reach;
    int coarse_limit;
};

/// Calls `visit(j)` for every particle j of the rows around `cell` that may be near the target, in their order; it does
/// not depend on the other lanes. All lanes of a warp must call this; those with `searches` false find nothing. `ring`:
/// empty.
template <class Ring, class Rows, class Cell, class Visit>
__device__ void visit_near(const InteractionView& v, const Position& target, const SearchLimits& limits,
                           const Rows& rows, const Cell& cell, bool searches, Ring ring, Visit&& visit) {
    constexpr unsigned all_lanes = 0xffffffffu;
    const std::uint32_t coarse = coarse_target(v.grid, target);
    std::uint32_t j;
    rows.for_each(cell, limits.reach, [&](Range range) {
        if (!searches) range.end = range.begin;
        for (std::uint32_t first = first_word(range); __any_sync(all_lanes, first < range.end); first += coarse_word) {
            ring.add(find_hits(v.coarse, coarse, limits.coarse_limit, first, range));
            while (__any_sync(all_lanes, ring.is_full())) {
                if (ring.take(j)) visit(j);
                if (ring.take(j)) visit(j); // asking all lanes costs as much as some of a visit
            }
        }
    });
    while (ring.take(j)) visit(j);
}

/// The same within the radius that the grid is made for. `shared`: HitRing<>::bytes_per_warp for every warp of the
/// block.
template <class Rows, class Cell, class Visit>
__device__ void visit_near(const InteractionView& v, const Position& target, const Rows& rows, const Cell& cell,
                           bool searches, void* shared, Visit&& visit) {
    visit_near(v, target, {reach_of(v.grid, target.x, target.y, target.z), v.grid.coarse_limit}, rows, cell, searches,
               HitRing(shared), visit);
}

} // namespace sluice::cuda

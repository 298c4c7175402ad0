// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/fixed_grid.h"
#include "cuda/data/views.h"
#include <cstdint>
#include <initializer_list>

// A coarse search that misses nothing. Three coordinates of eight bits each, in units of a cell / coarse_per_cell and
// modulo 256, fit one word: one subtraction and one four-way product (DP4A) test a candidate, and its answer is one bit
// in a mask. Some candidates a little beyond the support pass, so the code that visits hits must give them no effect.
//
// With D the exact separation in coarse units and A − B the difference of the words, byte by byte:
//   x   candidate and target rounded down:                                    error of D in (−1, 1)
//   y   candidate rounded down, target to nearest: (−½, 1½), less the borrow of x: in (−1½, 1½)
//   z   likewise
//   4th byte   the borrow of z: adds 1 to the squared length
// So |D| < R implies |A − B|² < (R + |(1, 1½, 1½)|)² + 1. Coordinates further apart than 127 units wrap round: they may
// pass, too, but cells are so fine that a candidate of the rows searched passes only near R.

namespace sluice::cuda {

/// Four coarse positions, loaded at once.
struct alignas(16) CoarseFour {
    std::uint32_t at[4];
};

SLUICE_INLINE std::uint32_t coarse_coordinate(const FixedGrid& g, std::int32_t p, std::uint32_t rounding) {
    return static_cast<std::uint32_t>((std::uint64_t(std::uint32_t(p)) * unsigned(g.coarse_per_cell) + rounding) >>
                                      g.cell_bits) &
           255u;
}

/// Coarse position of a candidate.
SLUICE_INLINE std::uint32_t coarse_position(const FixedGrid& g, const Position& p) {
    return coarse_coordinate(g, p.x, 0) | coarse_coordinate(g, p.y, 0) << 8 | coarse_coordinate(g, p.z, 0) << 16;
}

/// Coarse position of a particle whose neighbours are searched.
SLUICE_INLINE std::uint32_t coarse_target(const FixedGrid& g, const Position& p) {
    const std::uint32_t half = 1u << (g.cell_bits - 1);
    return coarse_coordinate(g, p.x, 0) | coarse_coordinate(g, p.y, half) << 8 | coarse_coordinate(g, p.z, half) << 16;
}

/// Squared coarse length of the separation, less `limit`: negative where the candidate may be near.
SLUICE_INLINE int coarse_excess(std::uint32_t target, std::uint32_t candidate, int limit) {
    const std::uint32_t difference = target - candidate;
#ifdef __CUDA_ARCH__
    return __dp4a(int(difference), int(difference), -limit);
#else
    int sum = -limit;
    for (int byte = 0; byte < 4; ++byte) {
        const int d = static_cast<std::int8_t>(difference >> 8 * byte);
        sum += d * d;
    }
    return sum;
#endif
}

/// Shifts the sign of `excess` into `bits` from below.
SLUICE_INLINE std::uint32_t append_sign(std::uint32_t bits, int excess) {
#ifdef __CUDA_ARCH__
    return __funnelshift_l(std::uint32_t(excess), bits, 1);
#else
    return bits << 1 | std::uint32_t(excess) >> 31;
#endif
}

/// Candidates that may be near: bit p of `bits` is candidate last − p.
struct HitWord {
    std::uint32_t bits = 0, last = 0;
};

/// Candidates tested for one word, and how many of them at a time: arrays of coarse positions are read past the end of
/// a range up to the next multiple of `coarse_group`.
inline constexpr std::uint32_t coarse_word = 32, coarse_group = 8;

SLUICE_INLINE std::uint32_t first_word(const Range& range) { return range.begin & ~(coarse_group - 1); }

/// Tests the candidates of `range` from `first` on, as many as go into a word. `first` is first_word(range), or
/// coarse_word further than the last call.
SLUICE_INLINE HitWord find_hits(const std::uint32_t* coarse, std::uint32_t target, int limit, std::uint32_t first,
                                const Range& range) {
    const std::uint32_t end = first + coarse_word < range.end ? first + coarse_word : range.end;
    HitWord hits;
    std::uint32_t j = first;
    for (; j < end; j += coarse_group) {
        const auto* const fours = reinterpret_cast<const CoarseFour*>(coarse + j);
        for (const CoarseFour& four : {load16(fours), load16(fours + 1)})
            for (const std::uint32_t candidate : four.at)
                hits.bits = append_sign(hits.bits, coarse_excess(target, candidate, limit));
    }
    // what lies around the range is not the caller's
    if (j > range.end) hits.bits &= ~0u << (j - range.end);
    if (j > first && first < range.begin) hits.bits &= ~0u >> (coarse_word - (j - range.begin));
    hits.last = j - 1;
    return hits;
}

/// Takes the first candidate out of a word that has any.
SLUICE_INLINE std::uint32_t take_hit(HitWord& word) {
#ifdef __CUDA_ARCH__
    const int p = 31 - __clz(int(word.bits));
#else
    const int p = 31 - __builtin_clz(word.bits);
#endif
    word.bits ^= 1u << p;
    return word.last - unsigned(p);
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/neighbour_rows.h"
#include "cpu/particles/interaction.h"
#include "cpu/simd/pack.h"

// The search for neighbours on the vector unit: two targets at a time, candidates by their coarse coordinates, hits in
// a list. What is done with the hits is the caller's.

namespace sluice::cpu {
inline namespace SLUICE_ISA {

/// Two targets, particles i and i+1, whose neighbours are visited together, so that both use what is loaded of a
/// neighbour.
struct TargetPair {
    std::uint32_t i;
    bool alone;                       ///< only i: the other half takes no part
    std::uint32_t cell, partner_cell; ///< of i and i+1 along the row
    std::uint32_t x0, x1;             ///< first and last cell of each row to search
};

/// Neighbours that a search has found for two targets.
struct HitList {
    static constexpr int capacity = 1024;
    int count = 0;
    alignas(64) std::uint32_t fourfold[capacity + 64]; ///< index × 4, which addresses both records and rates
};

/// What `search` looks around for two targets.
SLUICE_INLINE SearchTargets search_targets(const InteractionView& view, const TargetPair& two) {
    const auto high = [](std::uint32_t a) { return broadcast_short(static_cast<std::uint16_t>(a >> 16)); };
    const Record &a = view.records[two.i], &b = view.records[two.i + !two.alone];
    return {{high(a.x), high(b.x)}, {high(a.y), high(b.y)}, {high(a.z), high(b.z)}};
}

/// Calls `use(two)` for the particles of a unit two by two.
template <class Use>
SLUICE_INLINE void for_each_target_pair(const Rows& rows, const std::uint32_t* begin, const WorkUnit& unit, Use&& use) {
    const std::uint32_t* const cell = cells_of(rows, begin, unit.row);
    const auto reach = static_cast<std::uint32_t>(rows.reach), last = static_cast<std::uint32_t>(rows.count_x) - 1;
    const std::uint32_t end = cell[unit.x_end];
    std::uint32_t x = unit.x_begin;
    for (std::uint32_t i = cell[x]; i < end;) {
        while (cell[x + 1] <= i) ++x;
        TargetPair two{i, i + 1 == end, x, x, x < reach ? 0 : x - reach, 0};
        if (!two.alone) {
            // coordinates distinguish particles up to four times the support radius: partners are in the same cell,
            // or next to each other where cells are half as large
            while (two.partner_cell < x + reach && cell[two.partner_cell + 1] <= i + 1) ++two.partner_cell;
            two.alone = two.partner_cell == x + reach;
            if (two.alone) two.partner_cell = x;
        }
        two.x1 = two.partner_cell + reach > last ? last : two.partner_cell + reach;
        use(two);
        i += two.alone ? 1 : 2;
    }
}

} // namespace SLUICE_ISA
} // namespace sluice::cpu

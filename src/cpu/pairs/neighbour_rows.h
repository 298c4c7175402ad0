// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include "cpu/particles/interaction.h"

// Which rows of cells a unit searches. Included by the code of every instruction set, hence the inline namespace.

namespace sluice::cpu {
inline namespace SLUICE_ISA {

/// Rows around a row, as pointers to the first record of each of their cells.
struct NeighbourRows {
    static constexpr int capacity = 25;
    const std::uint32_t* shared[capacity];   ///< own rows that come after it: both sides of a pair are written
    const std::uint32_t* gathered[capacity]; ///< rows that are not own: only the searching side is written
    int shared_count = 0, gathered_count = 0;
};

/// Calls `use(row)` with each row of cells in reach of `row`, in their order.
template <class Use>
SLUICE_INLINE void for_each_row(const Rows& rows, std::uint32_t row, Use&& use) {
    const int y = static_cast<int>(row % static_cast<std::uint32_t>(rows.count_y));
    const int z = static_cast<int>(row / static_cast<std::uint32_t>(rows.count_y));
    for (int nz = z - rows.reach; nz <= z + rows.reach; ++nz)
        for (int ny = y - rows.reach; ny <= y + rows.reach; ++ny)
            if (nz >= 0 && nz < rows.count_z && ny >= 0 && ny < rows.count_y)
                use(static_cast<std::uint32_t>(nz) * static_cast<std::uint32_t>(rows.count_y) +
                    static_cast<std::uint32_t>(ny));
}

SLUICE_INLINE const std::uint32_t* cells_of(const Rows& rows, const std::uint32_t* begin, std::uint32_t row) {
    return begin + std::size_t(row) * static_cast<std::uint32_t>(rows.count_x);
}

/// Whether a row has any particle in reach of a unit.
SLUICE_INLINE bool reaches(const Rows& rows, const std::uint32_t* cells, const WorkUnit& unit) {
    const auto reach = static_cast<std::uint32_t>(rows.reach), count = static_cast<std::uint32_t>(rows.count_x);
    const std::uint32_t x0 = unit.x_begin < reach ? 0 : unit.x_begin - reach;
    const std::uint32_t x1 = unit.x_end + reach > count ? count : unit.x_end + reach;
    return cells[x0] < cells[x1];
}

/// Rows of the unit's own kind of particle. The unit's row itself is not among the shared ones: its pairs start after
/// the searching particle.
SLUICE_INLINE NeighbourRows rows_of_same_kind(const Rows& rows, const std::uint32_t* begin, const WorkUnit& unit,
                                              const OwnRows& own) {
    NeighbourRows found;
    for_each_row(rows, unit.row, [&](std::uint32_t other) {
        const std::uint32_t* const cells = cells_of(rows, begin, other);
        if (!reaches(rows, cells, unit)) return;
        if (!own.has(other))
            found.gathered[found.gathered_count++] = cells;
        else if (other > unit.row)
            found.shared[found.shared_count++] = cells;
    });
    return found;
}

/// Rows of the other kind of particle.
SLUICE_INLINE NeighbourRows rows_of_other_kind(const Rows& rows, const std::uint32_t* begin, const WorkUnit& unit,
                                               const OwnRows& own) {
    NeighbourRows found;
    for_each_row(rows, unit.row, [&](std::uint32_t other) {
        const std::uint32_t* const cells = cells_of(rows, begin, other);
        if (!reaches(rows, cells, unit)) return;
        if (own.has(other))
            found.shared[found.shared_count++] = cells;
        else
            found.gathered[found.gathered_count++] = cells;
    });
    return found;
}

} // namespace SLUICE_ISA
} // namespace sluice::cpu

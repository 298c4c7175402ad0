// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/neighbour_rows.h"
#include "cpu/particles/records.h"
#include <algorithm>

// Pairs one at a time, for any processor.

namespace sluice::cpu {

/// Separation of two particles in lattice units.
struct Separation {
    float dx, dy, dz, r2;

    Separation(const Record& a, const Record& b)
        : dx(difference(a.x & ~drops_diffusion, b.x & ~drops_diffusion)), dy(difference(a.y, b.y)),
          dz(difference(a.z, b.z)), r2(dx * dx + dy * dy + dz * dz) {}

private:
    static float difference(std::uint32_t a, std::uint32_t b) {
        return static_cast<float>(static_cast<std::int32_t>(a - b));
    }
};

/// Cells begin … end−1 of a row are within reach of a cell.
struct CellsInReach {
    std::uint32_t begin, end;

    CellsInReach(const Rows& rows, std::uint32_t x)
        : begin(x < static_cast<std::uint32_t>(rows.reach) ? 0 : x - static_cast<std::uint32_t>(rows.reach)),
          end(std::min(x + static_cast<std::uint32_t>(rows.reach) + 1, static_cast<std::uint32_t>(rows.count_x))) {}
};

/// Calls `use(i, x)` with each particle of a unit and the x of its cell.
template <class Use>
void for_each_particle(const Rows& rows, const std::uint32_t* begin, const WorkUnit& unit, Use&& use) {
    const std::uint32_t* const cell = cells_of(rows, begin, unit.row);
    for (std::uint32_t x = unit.x_begin; x < unit.x_end; ++x)
        for (std::uint32_t i = cell[x]; i < cell[x + 1]; ++i) use(i, x);
}

} // namespace sluice::cpu

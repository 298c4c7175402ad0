// SPDX-License-Identifier: Apache-2.0
#include "cpu/schedules/work_units.h"

#include <algorithm>
#include <cstring>

namespace sluice::cpu {

std::vector<WorkUnit> make_work_units(const Rows& rows, const std::uint32_t* begin, std::uint32_t particles) {
    std::vector<WorkUnit> units;
    const auto nx = static_cast<std::uint32_t>(rows.count_x);
    const auto first = static_cast<std::uint32_t>(rows.inner_begin[0]),
               last = static_cast<std::uint32_t>(rows.inner_end[0]);
    for (int z = rows.inner_begin[2]; z < rows.inner_end[2]; ++z)
        for (int y = rows.inner_begin[1]; y < rows.inner_end[1]; ++y) {
            const auto row = static_cast<std::uint32_t>(y) + static_cast<std::uint32_t>(rows.count_y) * z;
            if (!rows.owns(row)) continue;
            const std::uint32_t* const cell = begin + std::size_t(row) * nx;
            std::uint32_t x = first;
            while (cell[x] < cell[last]) {
                // the first cell with that many particles before it, by bisection: cell[] rises with x
                const std::uint32_t* const end = std::lower_bound(cell + x + 1, cell + last, cell[x] + particles);
                const auto x_end = static_cast<std::uint32_t>(end - cell);
                units.push_back({row, x, x_end});
                x = x_end;
            }
        }
    return units;
}

std::uint32_t particle_count(const Rows& rows, const std::uint32_t* begin, const WorkUnit& unit) {
    const std::uint32_t* const cell = begin + std::size_t(unit.row) * static_cast<std::uint32_t>(rows.count_x);
    return cell[unit.x_end] - cell[unit.x_begin];
}

bool near_boundary(const InteractionView& view, const WorkUnit& unit) {
    const std::uint8_t* const row =
        view.near_boundary + std::size_t(unit.row) * static_cast<std::uint32_t>(view.rows.count_x);
    return std::memchr(row + unit.x_begin, 1, unit.x_end - unit.x_begin) != nullptr;
}

} // namespace sluice::cpu

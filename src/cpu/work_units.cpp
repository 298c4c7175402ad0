// SPDX-License-Identifier: Apache-2.0
#include "cpu/work_units.h"

#include <algorithm>

namespace sluice::cpu {

std::vector<WorkUnit> make_work_units(const Rows& rows, const std::uint32_t* begin, std::uint32_t particles) {
    std::vector<WorkUnit> units;
    const auto nx = static_cast<std::uint32_t>(rows.count_x);
    for (std::uint32_t row = 0; row < static_cast<std::uint32_t>(rows.count_y) * rows.count_z; ++row) {
        const std::uint32_t* const cell = begin + std::size_t(row) * nx;
        std::uint32_t x = 0;
        while (cell[x] < cell[nx]) {
            // the first cell with that many particles before it, by bisection: cell[] rises with x
            const std::uint32_t* const end = std::lower_bound(cell + x + 1, cell + nx, cell[x] + particles);
            const auto x_end = static_cast<std::uint32_t>(end - cell);
            units.push_back({row, x, x_end});
            x = x_end;
        }
    }
    return units;
}

} // namespace sluice::cpu

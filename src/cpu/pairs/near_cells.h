// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/neighbour_rows.h"
#include "cpu/particles/thread_count.h"
#include <algorithm>

namespace sluice::cpu {

/// near[c] = 1 for the cells in reach of which `holds(cell)` is true for some cell, 0 for the others.
template <class Holds>
void mark_near(const Rows& rows, const ThreadCount& threads, std::uint8_t* near, const Holds& holds) {
    const int row_count = rows.count_y * rows.count_z;
#pragma omp parallel for schedule(static) num_threads(threads.now())
    for (int row = 0; row < row_count; ++row) {
        std::uint8_t* const mine = near + std::size_t(row) * rows.count_x;
        std::fill_n(mine, rows.count_x, std::uint8_t(0));
        for_each_row(rows, static_cast<std::uint32_t>(row), [&](std::uint32_t other) {
            for (int x = 0; x < rows.count_x; ++x) {
                if (!holds(std::size_t(other) * rows.count_x + x)) continue;
                const int x0 = std::max(x - rows.reach, 0), x1 = std::min(x + rows.reach, rows.count_x - 1);
                std::fill_n(mine + x0, x1 - x0 + 1, std::uint8_t(1));
            }
        });
    }
}

} // namespace sluice::cpu

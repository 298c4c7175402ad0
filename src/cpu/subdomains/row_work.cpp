// SPDX-License-Identifier: Apache-2.0
#include "cpu/subdomains/row_work.h"

#include "cpu/pairs/neighbour_rows.h"

#include <algorithm>

namespace sluice::cpu {

namespace {

std::uint64_t work_of_row(const InteractionView& view, std::uint32_t row) {
    const Rows& rows = view.rows;
    const std::uint32_t* const fluid = cells_of(rows, view.fluid_begin, row);
    const std::uint32_t* const boundary = cells_of(rows, view.boundary_begin, row);
    const auto count = [](const std::uint32_t* cells, int begin, int end) {
        return std::uint64_t(cells[end] - cells[begin]);
    };
    std::uint64_t work = count(fluid, 0, rows.count_x) + count(boundary, 0, rows.count_x);
    if (work == 0) return 0;
    for_each_row(rows, row, [&](std::uint32_t other) {
        const std::uint32_t* const near_fluid = cells_of(rows, view.fluid_begin, other);
        const std::uint32_t* const near_boundary = cells_of(rows, view.boundary_begin, other);
        if (count(near_fluid, 0, rows.count_x) + count(near_boundary, 0, rows.count_x) == 0) return;
        for (int x = rows.inner_begin[0]; x < rows.inner_end[0]; ++x) {
            if (count(fluid, x, x + 1) + count(boundary, x, x + 1) == 0) continue;
            const int x0 = std::max(x - rows.reach, 0), x1 = std::min(x + rows.reach + 1, rows.count_x);
            const std::uint64_t all_fluid = count(near_fluid, x0, x1);
            work += count(fluid, x, x + 1) * (all_fluid + count(near_boundary, x0, x1)) +
                    count(boundary, x, x + 1) * all_fluid;
        }
    });
    return work;
}

} // namespace

std::vector<std::uint64_t> work_of_rows(const InteractionView& view) {
    const Rows& rows = view.rows;
    std::vector<std::uint64_t> work(static_cast<std::size_t>(rows.count_y) * static_cast<std::size_t>(rows.count_z));
    for (int z = rows.inner_begin[2]; z < rows.inner_end[2]; ++z)
        for (int y = rows.inner_begin[1]; y < rows.inner_end[1]; ++y) {
            const auto row = static_cast<std::uint32_t>(z * rows.count_y + y);
            if (rows.owns(row)) work[row] = work_of_row(view, row);
        }
    return work;
}

std::vector<std::uint64_t> all_work(Transport& transport, std::uint32_t rows, std::uint32_t first,
                                    const std::vector<std::uint64_t>& work) {
    MessageWriter mine;
    mine.put(first);
    mine.put_all(work);
    std::vector<std::uint64_t> all(rows);
    for (const Message& message : all_gather(transport, mine.take())) {
        MessageReader reader(message);
        const auto at = reader.get<std::uint32_t>();
        const auto theirs = reader.get_all<std::uint64_t>();
        for (std::size_t k = 0; k < theirs.size(); ++k) all[at + k] += theirs[k];
    }
    return all;
}

} // namespace sluice::cpu

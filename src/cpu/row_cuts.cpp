// SPDX-License-Identifier: Apache-2.0
#include "cpu/row_cuts.h"

#include <algorithm>
#include <numeric>

namespace sluice::cpu {

IndexRange RowCuts::seen(int rank) const {
    const IndexRange rows = own(rank);
    if (rows.count() == 0) return rows;
    return {rows.begin - std::min(rows.begin, depth_),
            static_cast<std::uint32_t>(std::min(std::uint64_t(rows.end) + depth_, std::uint64_t(begin_.back())))};
}

IndexRange RowCuts::unseen(int rank) const {
    const IndexRange rows = own(rank);
    const std::uint64_t begin = std::uint64_t(rows.begin) + (rows.begin > 0 ? depth_ : 0),
                        end = rows.end - std::min(rows.end, rows.end < begin_.back() ? depth_ : 0);
    if (begin >= end) return {rows.begin, rows.begin};
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

int RowCuts::owner(std::uint32_t row) const {
    return static_cast<int>(std::upper_bound(begin_.begin(), begin_.end(), row) - begin_.begin()) - 1;
}

std::vector<std::uint32_t> cut_evenly(const std::vector<std::uint64_t>& work, int parts) {
    const std::uint64_t all = std::accumulate(work.begin(), work.end(), std::uint64_t(0));
    const auto rows = static_cast<std::uint32_t>(work.size());
    std::vector<std::uint32_t> begin{0};
    std::uint64_t done = 0;
    std::uint32_t row = 0;
    for (int part = 1; part < parts; ++part) {
        const auto wanted = static_cast<std::uint64_t>(double(all) * part / parts);
        // a row goes where most of it belongs
        while (row < rows && done + work[row] / 2 < wanted) done += work[row++];
        begin.push_back(row);
    }
    begin.push_back(rows);
    return begin;
}

std::uint64_t greatest_share(const std::vector<std::uint64_t>& work, const RowCuts& cuts) {
    std::uint64_t greatest = 0;
    for (int rank = 0; rank < cuts.ranks(); ++rank) {
        const IndexRange rows = cuts.own(rank);
        greatest =
            std::max(greatest, std::accumulate(work.begin() + rows.begin, work.begin() + rows.end, std::uint64_t(0)));
    }
    return greatest;
}

} // namespace sluice::cpu

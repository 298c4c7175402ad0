// SPDX-License-Identifier: Apache-2.0
#include "cpu/subdomains/rank_map.h"

#include <algorithm>

namespace sluice::cpu {

RankMap::RankMap(const std::vector<RankNumber>& owner, int ranks, const Rows& rows)
    : seen_(static_cast<std::size_t>(ranks)) {
    const int inner_y = rows.inner_end[1] - rows.inner_begin[1];
    const auto nearest = [&](int place, int axis) {
        return std::clamp(place, rows.inner_begin[axis], rows.inner_end[axis] - 1) - rows.inner_begin[axis];
    };
    owner_.reserve(static_cast<std::size_t>(rows.count_y) * static_cast<std::size_t>(rows.count_z));
    for (int z = 0; z < rows.count_z; ++z)
        for (int y = 0; y < rows.count_y; ++y)
            owner_.push_back(owner[static_cast<std::size_t>(nearest(z, 2)) * static_cast<std::size_t>(inner_y) +
                                   static_cast<std::size_t>(nearest(y, 1))]);
    find_observers(rows);
}

void RankMap::find_observers(const Rows& rows) {
    begin_.reserve(owner_.size() + 1);
    observer_.reserve(owner_.size());
    const auto count_y = static_cast<std::uint32_t>(rows.count_y);
    std::vector<RankNumber> found;
    for (std::uint32_t row = 0; row < owner_.size(); ++row) {
        const int y = static_cast<int>(row % count_y), z = static_cast<int>(row / count_y);
        const auto from = [&](int place, int axis) { return std::max(place - rows.reach, rows.inner_begin[axis]); };
        const auto to = [&](int place, int axis) { return std::min(place + rows.reach + 1, rows.inner_end[axis]); };
        found.clear();
        for (int nz = from(z, 2); nz < to(z, 2); ++nz)
            for (int ny = from(y, 1); ny < to(y, 1); ++ny) {
                const RankNumber rank =
                    owner_[static_cast<std::uint32_t>(nz) * count_y + static_cast<std::uint32_t>(ny)];
                if (std::ranges::find(found, rank) == found.end()) found.push_back(rank);
            }
        std::ranges::sort(found);
        begin_.push_back(static_cast<std::uint32_t>(observer_.size()));
        observer_.insert(observer_.end(), found.begin(), found.end());
        for (const RankNumber rank : found) {
            IndexRange& seen = seen_[rank];
            if (seen.count() == 0) seen.begin = row;
            seen.end = row + 1;
        }
    }
    begin_.push_back(static_cast<std::uint32_t>(observer_.size()));
}

bool RankMap::sees(int rank, std::uint32_t row) const {
    bool found = false;
    for_each_observer(row, [&](int observer) { found |= observer == rank; });
    return found;
}

IndexRange RankMap::longest_unseen(int rank) const {
    IndexRange longest, now;
    const IndexRange rows = seen(rank);
    for (std::uint32_t row = rows.begin; row < rows.end; ++row) {
        if (begin_[row + 1] - begin_[row] != 1 || observer_[begin_[row]] != rank) continue;
        now = {now.end == row && now.count() > 0 ? now.begin : row, row + 1};
        if (now.count() > longest.count()) longest = now;
    }
    return longest;
}

std::size_t RankMap::bytes() const {
    return (owner_.capacity() + observer_.capacity()) * sizeof(RankNumber) + begin_.capacity() * sizeof(std::uint32_t);
}

std::vector<std::uint8_t> RankMap::own_rows(int rank) const {
    std::vector<std::uint8_t> own(owner_.size());
    std::ranges::transform(owner_, own.begin(), [rank](RankNumber owner) { return owner == rank; });
    return own;
}

} // namespace sluice::cpu

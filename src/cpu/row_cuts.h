// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/cell_list.h"
#include <cstdint>
#include <vector>

namespace sluice::cpu {

/// Where the rows of the whole grid are cut between ranks: rank r has the rows from begin[r] to begin[r+1]−1, one
/// contiguous range of the linear order of cells, and sees `depth` rows more on either side. A rank may have none, and
/// sees none then.
class RowCuts {
public:
    RowCuts() = default;
    RowCuts(std::vector<std::uint32_t> begin, std::uint32_t depth) : begin_(std::move(begin)), depth_(depth) {}

    int ranks() const { return static_cast<int>(begin_.size()) - 1; }
    IndexRange own(int rank) const { return {at(rank), at(rank + 1)}; }
    IndexRange seen(int rank) const;
    /// The rows of a rank that no other rank sees.
    IndexRange unseen(int rank) const;
    int owner(std::uint32_t row) const;
    /// Calls `use(rank)` with every rank that sees a row, its owner among them, in any order.
    template <class Use>
    void for_each_observer(std::uint32_t row, const Use& use) const {
        const int rank = owner(row);
        use(rank);
        for (int r = rank - 1; r >= 0 && at(r + 1) + depth_ > row; --r)
            if (own(r).count() > 0) use(r);
        for (int r = rank + 1; r < ranks() && at(r) <= std::uint64_t(row) + depth_; ++r)
            if (own(r).count() > 0) use(r);
    }
    bool operator==(const RowCuts&) const = default;

private:
    std::uint32_t at(int rank) const { return begin_[static_cast<std::size_t>(rank)]; }

    std::vector<std::uint32_t> begin_; ///< of each rank, and the number of rows
    std::uint32_t depth_ = 0;
};

/// First rows of parts with nearly equal sums of `work`, and the number of rows at the end.
std::vector<std::uint32_t> cut_evenly(const std::vector<std::uint64_t>& work, int parts);

/// The greatest sum of `work` of a rank.
std::uint64_t greatest_share(const std::vector<std::uint64_t>& work, const RowCuts& cuts);

} // namespace sluice::cpu

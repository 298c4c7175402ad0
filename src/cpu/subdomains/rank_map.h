// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/cell_list.h"
#include "cpu/particles/interaction.h"
#include "cpu/subdomains/split.h"
#include <cstdint>
#include <vector>

namespace sluice::cpu {

/// Which rank owns which row of cells of the whole grid, and which ranks see it (the device map of Rustico et al. 2014,
/// III-A, for ranks and whole rows): any rank may have any rows, or none. A rank sees its own rows and those in reach
/// of them, rows of images among them. A row of images belongs to the rank that has the nearest row of particles.
class RankMap {
public:
    RankMap() = default;
    /// `owner`: of each row that may hold particles of the run, layer after layer. `rows`: of the whole grid.
    RankMap(const std::vector<RankNumber>& owner, int ranks, const Rows& rows);

    int ranks() const { return static_cast<int>(seen_.size()); }
    int owner(std::uint32_t row) const { return owner_[row]; }
    /// Calls `use(rank)` with every rank that sees a row, its owner among them, in their order.
    template <class Use>
    void for_each_observer(std::uint32_t row, const Use& use) const {
        for (std::uint32_t k = begin_[row]; k < begin_[row + 1]; ++k) use(static_cast<int>(observer_[k]));
    }
    bool sees(int rank, std::uint32_t row) const;
    /// From the first row that a rank sees to behind the last one; empty if it sees none.
    IndexRange seen(int rank) const { return seen_[static_cast<std::size_t>(rank)]; }
    /// The longest sequence of rows that only this rank sees.
    IndexRange longest_unseen(int rank) const;
    /// Of each row of the whole grid: 1 if it belongs to this rank, else 0.
    std::vector<std::uint8_t> own_rows(int rank) const;
    std::size_t bytes() const;

private:
    void find_observers(const Rows& rows);

    std::vector<RankNumber> owner_;    ///< of each row
    std::vector<std::uint32_t> begin_; ///< of each row's observers in observer_, and the end
    std::vector<RankNumber> observer_;
    std::vector<IndexRange> seen_; ///< of each rank
};

} // namespace sluice::cpu

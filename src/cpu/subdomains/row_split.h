// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "cpu/subdomains/rank_map.h"
#include "cpu/subdomains/split.h"
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::cpu {

/// Splits the rows of cells of a run between its ranks, in one of the ways of `Split`. Rows stay whole, so that cuts go
/// across the two axes that rows do not run along.
class RowSplit {
public:
    /// Throws InputError for what cannot be done with these cells and so many ranks.
    RowSplit(const Split& split, const Space& space, int ranks);

    /// The owner of each row, for this much work in each row of the whole grid. The same on all ranks.
    std::vector<RankNumber> owners(const std::vector<std::uint64_t>& work) const;
    RankMap map(const std::vector<RankNumber>& owners) const { return {owners, ranks_, rows_}; }
    /// The greatest work of a rank.
    std::uint64_t greatest_share(const std::vector<std::uint64_t>& work, const std::vector<RankNumber>& owners) const;
    /// Whether it depends on the work.
    bool follows_work() const { return kind_ != Split::Kind::table; }
    /// "slabs across x", for logs and run.json.
    std::string description() const;

private:
    /// Rows y_begin … y_end−1 of the layers z_begin … z_end−1 that hold particles.
    struct Block {
        int y_begin, y_end, z_begin, z_end;
    };
    /// Rows y, layers z.
    enum class Across { y, z };

    std::size_t place(int y, int z) const {
        return static_cast<std::size_t>(z) * static_cast<std::size_t>(count_y_) + static_cast<std::size_t>(y);
    }
    std::vector<std::uint64_t> without_images(const std::vector<std::uint64_t>& work) const;
    std::vector<std::uint64_t> work_across(const Block& block, Across across,
                                           const std::vector<std::uint64_t>& work) const;
    void choose(int ranks);
    void cut_slabs(const std::vector<std::uint64_t>& work, std::vector<RankNumber>& owners) const;
    void cut_grid(const std::vector<std::uint64_t>& work, std::vector<RankNumber>& owners) const;
    void bisect(const Block& block, int first, int ranks, const std::vector<std::uint64_t>& work,
                std::vector<RankNumber>& owners) const;
    void draw(std::vector<RankNumber>& owners) const;
    void give(const Block& block, int rank, std::vector<RankNumber>& owners) const;

    Split::Kind kind_;
    Across across_ = Across::z; ///< of slabs
    std::array<int, 2> parts_;  ///< of a grid, across layers and across rows
    RankTable table_;
    std::string name_; ///< as the command line has the split
    int ranks_;
    Rows rows_;               ///< of the whole grid
    int count_y_, count_z_;   ///< rows in a layer and layers, without those of images
    std::array<int, 3> axes_; ///< of the domain: along rows, across rows, across layers
};

/// First places of parts with nearly equal sums of `work`, and the number of places at the end.
std::vector<std::uint32_t> cut_evenly(const std::vector<std::uint64_t>& work, int parts);

} // namespace sluice::cpu

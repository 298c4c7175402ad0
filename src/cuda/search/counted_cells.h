// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/search/neighbour_search.h"

namespace sluice::cuda {

/// The versions without neighbour lists: the update counts particles by cell as it moves them, every step brings them
/// into the order of the cells, and the interaction searches the cells (interaction_kernels.cuh).
class CountedCells final : public NeighbourSearch {
public:
    explicit CountedCells(RunArrays& run);

    void adopt_state(bool rebuild, cudaStream_t stream) override;
    void build(cudaStream_t stream) override;
    void interact(const InteractionArgs& args, cudaStream_t stream, cudaStream_t beside) override;
    const std::uint32_t* coarse_positions(cudaStream_t) override { return keys_.as<CoarsePositions>(); }
    CellCounts counts() const override {
        return run_.is_shared ? CellCounts{} : CellCounts{counts_.data(), order_.as<SlotsInCells>()};
    }
    SortScratch sort_scratch() override;
    void sort_walls(cudaStream_t stream) override;
    void adopt_order(cudaStream_t stream) override;

private:
    /// Roles of arrays with a number for every particle.
    struct CellMembers { ///< CountedOrder::members
        using Element = std::uint32_t;
    };
    struct SlotsInCells { ///< CellCounts::slot
        using Element = std::uint32_t;
    };
    struct SortedOrder { ///< CountedOrder::order
        using Element = std::uint32_t;
    };

    RunArrays& run_;
    DeviceArray<std::uint32_t> counts_; ///< fluid particles of the cells
    SharedArray<SortKeys, CellMembers, CoarsePositions> keys_;
    SharedArray<SortIndices, SlotsInCells, SortedOrder> order_;
    SharedArray<CellsOfParticles, SortIndices> cell_memory_; ///< takes turns with that of the run
    std::uint32_t* next_cell_;                               ///< of the two, the one that the next sort writes
    DeviceArray<std::byte> tables_;                          ///< of the sort and of the scan
};

} // namespace sluice::cuda

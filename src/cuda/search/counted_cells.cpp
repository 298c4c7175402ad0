// SPDX-License-Identifier: Apache-2.0
#include "cuda/search/counted_cells.h"
#include "cuda/device/runtime.h"

#include "cuda/data/coarse_search.h"

#include <algorithm>

namespace sluice::cuda {

CountedCells::CountedCells(RunArrays& run)
    : run_(run), counts_(run.memory, std::size_t(run.grid.cells()) + 2, "particles of the cells"),
      keys_(run.memory, run.capacity + coarse_group, "sort keys, and coarse positions"), // a search reads past the last
      order_(run.memory, run.capacity, "sort indices, and slots in the cells"),
      cell_memory_(run.memory, run.capacity, "sort indices, and cells of the particles"),
      next_cell_(cell_memory_.as<CellsOfParticles>()),
      tables_(run.memory, std::max(sort_table_bytes(run.capacity), scan_table_bytes(run.grid.cells())),
              "tables of the sort") {
    // as a build leaves them: where the arrays begin they must come back to, or no batch of steps could be recorded
    run_.places.state = run_.places.sorted.with_levels_exchanged();
}

/// The sort's second array of indices is the memory of the run's cells that is free.
SortScratch CountedCells::sort_scratch() {
    return {keys_.as<SortKeys>(), order_.as<SortIndices>(), next_cell_, &tables_};
}

/// Sorts the boundary particles and makes what follows from where they are.
void CountedCells::sort_walls(cudaStream_t stream) {
    if (run_.is_shared && run_.period.any()) // the count of cells has not moved them back into the domain
        wrap_positions(run_.grid, run_.period, run_.places.state, run_.places.cell, run_.boundary(),
                       run_.excluded_cell(), stream);
    run_.sort_boundary(false, sort_scratch(), stream);
    mark_near_boundary(run_.grid, run_.period, run_.view().boundary, run_.near_boundary.data(), stream);
    // the cells alternate between two arrays: both have those of the boundary
    copy_on_device(next_cell_, run_.places.cell, run_.boundary_count * sizeof(std::uint32_t), stream,
                   "copying the boundary's cells");
}

void CountedCells::adopt_state(bool /*rebuild*/, cudaStream_t stream) {
    sort_walls(stream);
    if (run_.is_shared) return; // the first exchange finds the cells
    fill(counts_.data(), 0, counts_.bytes(), stream, "clearing the cells' counts");
    count_in_cells(run_.places.cell, run_.fluid(), counts(), stream);
}

void CountedCells::build(cudaStream_t stream) {
    if (run_.walls_move) sort_walls(stream); // the fluid's slots lie behind those of the boundary in the sort's scratch
    ArrayPlaces& places = run_.places;
    const CountedOrder result{keys_.as<CellMembers>(), order_.as<SortedOrder>(),    next_cell_,
                              run_.fluid_begin.data(), &run_.control.data()->alive, &tables_};
    order_by_counts(places.cell, run_.fluid(), run_.excluded_cell(), counts(), result, stream);
    std::swap(places.cell, next_cell_);
    std::uint32_t* const coarse = keys_.as<CoarsePositions>();
    if (run_.has_two_stores()) {
        places.sorted = run_.free_store();
        reorder(places.state, places.sorted, result.order, run_.fluid(), run_.count, run_.grid, coarse, stream);
    } else {
        places.sorted = places.state;
        reorder_in_turns(places.sorted, places.spare, result.order, run_.fluid(), run_.count, run_.grid, coarse,
                         stream);
    }
    places.state = places.sorted.with_levels_exchanged();
}

void CountedCells::adopt_order(cudaStream_t stream) {
    run_.places.sorted = run_.places.state;
    find_coarse_positions(run_.grid, run_.places.sorted.position, run_.count, keys_.as<CoarsePositions>(), stream);
    run_.places.state = run_.places.sorted.with_levels_exchanged();
}

void CountedCells::interact(const InteractionArgs& args, cudaStream_t stream, cudaStream_t beside) {
    InteractionArgs with_coarse = args;
    with_coarse.view.coarse = keys_.as<CoarsePositions>();
    launch_interaction(with_coarse, stream, beside);
}

} // namespace sluice::cuda

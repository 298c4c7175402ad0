// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/grid_period.h"
#include "cuda/data/views.h"
#include "cuda/device/device_memory.h"
#include <cstdint>

namespace sluice::cuda {

/// Scratch of a sort by keys, one of each a particle: a second array of keys, and two arrays of indices of which one
/// ends up with the order.
struct SortScratch {
    std::uint32_t *keys = nullptr, *order_a = nullptr, *order_b = nullptr;
    DeviceArray<std::byte>* tables = nullptr; ///< sort_table_bytes() at least
};

/// Bytes of the tables that CUB's sort of so many particles needs.
std::size_t sort_table_bytes(std::uint32_t particles);

/// Role of an array: the second keys of a sort.
struct SortKeys {
    using Element = std::uint32_t;
};
/// Role of an array: coarse positions (coarse_search.h), from one sort to the next.
struct CoarsePositions {
    using Element = std::uint32_t;
};

/// A sort's scratch with memory of its own.
class SortMemory {
public:
    SortMemory(DeviceMemory& memory, std::uint32_t particles);
    SortScratch scratch() { return {keys_.as<SortKeys>(), order_a_.data(), order_b_.data(), &tables_}; }
    /// Room for coarse positions, which the next sort writes over.
    std::uint32_t* coarse() const { return keys_.as<CoarsePositions>(); }

private:
    SharedArray<SortKeys, CoarsePositions> keys_;
    DeviceArray<std::uint32_t> order_a_, order_b_;
    DeviceArray<std::byte> tables_;
};

/// Particles [first, first + count) to be sorted by cell.
struct SortRange {
    std::uint32_t first = 0, count = 0;
};

/// Computes the cell of every particle of a range from its position and its former cell, and sorts (CUB's radix sort):
/// afterwards `cell` is sorted and the returned array says which particle comes where. Stable, so equal inputs give
/// equal orders. Particles that left the run (cell index `excluded_cell`) end up behind the others. With `along_curve`
/// particles of a cell follow a space-filling curve, so that consecutive particles are close in all three directions.
const std::uint32_t* sort_by_cell(const FixedGrid& grid, const Position* position, std::uint32_t* cell, SortRange range,
                                  std::uint32_t excluded_cell, bool along_curve, const SortScratch& scratch,
                                  cudaStream_t stream);

/// Enters all particles of a range in `counts`, which must hold zeros, by the cells that they carry.
void count_in_cells(const std::uint32_t* cell, SortRange range, const CellCounts& counts, cudaStream_t stream);

/// What order_by_counts() writes.
struct CountedOrder {
    std::uint32_t* members = nullptr;         ///< scratch: the particles of every cell, in any order
    std::uint32_t* order = nullptr;           ///< which particle comes where; may lie where the counts' slots are
    std::uint32_t* cell = nullptr;            ///< the cells in that order
    std::uint32_t* begin = nullptr;           ///< cell list, as find_cell_begins() makes it
    unsigned* alive = nullptr;                ///< as find_cell_begins()
    DeviceArray<std::byte>* tables = nullptr; ///< scratch: scan_table_bytes() at least
};

/// Bytes of the tables that CUB's scan over so many cells needs.
std::size_t scan_table_bytes(std::uint32_t cells);

/// The order that sort_by_cell() without a curve would find, for particles whose cells were counted as they moved: the
/// counts give the cell list, and each particle looks for its place among the few of its cell. Particles from
/// control.alive on were not counted; those newly excluded come before them, in any order. Leaves `counts` with zeros.
void order_by_counts(const std::uint32_t* cell, SortRange range, std::uint32_t excluded_cell, const CellCounts& counts,
                     const CountedOrder& result, cudaStream_t stream);

/// Writes the particles of `from` in sorted order to `to`; the rest of the arrays is copied. `coarse`, if not null,
/// gets the coarse positions (coarse_search.h) of all particles.
void reorder(const ParticleArrays& from, const ParticleArrays& to, const std::uint32_t* order, SortRange range,
             std::uint32_t particles, const FixedGrid& grid, std::uint32_t* coarse, cudaStream_t stream);

/// The same in place, array by array through spare memory.
void reorder_in_place(const ParticleArrays& arrays, const std::uint32_t* order, SortRange range,
                      const SpareRecords& spare, cudaStream_t stream);

/// The same array by array, each written to the spare one that the one before left: `arrays` and `spare` say where
/// everything is afterwards.
void reorder_in_turns(ParticleArrays& arrays, SpareRecords& spare, const std::uint32_t* order, SortRange range,
                      std::uint32_t particles, const FixedGrid& grid, std::uint32_t* coarse, cudaStream_t stream);

/// The coarse positions (coarse_search.h) of `particles` particles.
void find_coarse_positions(const FixedGrid& grid, const Position* position, std::uint32_t particles,
                           std::uint32_t* coarse, cudaStream_t stream);

/// begin[c] = number of particles of the sorted range with a cell below c, for c = 0 … excluded_cell + 1. If `alive` is
/// given, it receives first + begin[excluded_cell].
void find_cell_begins(const std::uint32_t* cell, SortRange range, std::uint32_t excluded_cell, std::uint32_t* begin,
                      unsigned* alive, cudaStream_t stream);

/// near[c] = 1 where a boundary particle may be in reach of cell c: near a periodic side always.
void mark_near_boundary(const FixedGrid& grid, const GridPeriod& period, CellBegins boundary, std::uint8_t* near,
                        cudaStream_t stream);

/// Brings particles of a range that have left the domain through a periodic side back in at the other one, with the
/// places where they started a step, if those are kept, and their cells.
void wrap_positions(const FixedGrid& grid, const GridPeriod& period, const ParticleArrays& arrays, std::uint32_t* cell,
                    SortRange range, std::uint32_t excluded_cell, cudaStream_t stream);

} // namespace sluice::cuda

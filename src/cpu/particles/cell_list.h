// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/buffer.h"
#include <cstdint>
#include <vector>

namespace sluice::cpu {

/// Indices begin … end−1.
struct IndexRange {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t count() const { return end - begin; }
    bool has(std::uint32_t index) const { return index - begin < end - begin; }
    bool operator==(const IndexRange&) const = default;
};

/// Cells of one group of particles (boundary or fluid): after `sort`, the particles of cell c are
/// begin()[c] … begin()[c+1]−1, and those of cells consecutive in x are one range.
class CellList {
public:
    explicit CellList(std::uint32_t cell_count);

    /// Key of a particle that is in no cell; such particles come last.
    std::uint32_t outside() const { return cell_count_; }

    /// Stable counting sort by key of the particles in some ranges of indices, one range after the other; the threads
    /// change nothing in the result. `begin()` counts from `first`. Good for keys in nearly sorted order: each thread
    /// counts over the range of keys of its part.
    void sort(const std::uint32_t* key, const std::vector<IndexRange>& ranges, std::uint32_t first, int threads);

    /// order()[k] is the old index of the particle that belongs at k, for all that were sorted.
    const std::uint32_t* order() const { return order_.data(); }
    /// The same, to be changed among particles of one cell.
    std::uint32_t* order() { return order_.data(); }
    const std::uint32_t* begin() const { return begin_.data(); }
    std::uint32_t cell_count() const { return cell_count_; }
    /// Particles that are in a cell.
    std::uint32_t inside_count() const { return inside_count_; }
    std::size_t bytes() const;

private:
    /// Particles that follow one another in the ranges to sort, and how many of them each cell of their own range of
    /// keys has.
    struct Chunk {
        std::vector<IndexRange> ranges;
        std::uint32_t low = 0, high = 0; ///< keys low … high−1
        Buffer<std::uint32_t> count;     ///< of each cell; then the next free place in it
    };

    /// Cells low … high−1 hold all particles.
    struct CellRange {
        std::uint32_t low = 0, high = 0;
    };

    std::uint32_t cut_chunks(const std::vector<IndexRange>& parts, int threads);
    static void count_keys(Chunk& chunk, const std::uint32_t* key);
    CellRange occupied() const;
    std::uint32_t particles_before(std::uint32_t cell) const;
    void make_places(CellRange cells, std::uint32_t place, std::uint32_t first);
    void place_particles(Chunk& chunk, const std::uint32_t* key);
    void fill_around(CellRange cells, std::uint32_t first, std::uint32_t end);

    std::uint32_t cell_count_ = 0;
    std::uint32_t inside_count_ = 0;
    CellRange filled_; ///< outside this range begin() holds first_ and end_
    std::uint32_t first_ = 0, end_ = 0;
    std::vector<Chunk> chunks_;
    std::vector<std::uint32_t> range_place_; ///< of the first particle in each thread's range of cells
    Buffer<std::uint32_t> begin_, order_, next_;
};

} // namespace sluice::cpu

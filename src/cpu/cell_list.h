// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cell_grid.h"
#include "cpu/buffer.h"
#include <cstdint>
#include <vector>

namespace sluice::cpu {

/// Cells of one group of particles (boundary or fluid): after `sort`, the particles of cell c are
/// begin()[c] … begin()[c+1]−1, and those of cells consecutive in x are one range.
class CellList {
public:
    /// `first`: index of the group's first particle in the arrays that `begin()` points into.
    CellList(std::uint32_t cell_count, int threads);

    /// Key of a particle that is in no cell; such particles come last.
    std::uint32_t outside() const { return cell_count_; }

    /// Stable counting sort of `count` particles by key. The result does not depend on the number of threads.
    /// `begin()` counts from `first`.
    void sort(const std::uint32_t* key, std::uint32_t count, std::uint32_t first);

    /// order()[k] is the old index of the particle that belongs at k.
    const std::uint32_t* order() const { return order_.data(); }
    const std::uint32_t* begin() const { return begin_.data(); }
    /// Particles that are in a cell.
    std::uint32_t inside_count() const { return inside_count_; }
    std::size_t bytes() const;

private:
    /// A contiguous part of the particles, and how many of them each cell of its own range of keys has.
    struct Chunk {
        std::uint32_t begin = 0, end = 0;
        std::uint32_t low = 0, high = 0; ///< keys low … high−1
        Buffer<std::uint32_t> count;     ///< then the next free place of the cell
    };

    void choose_chunks(const std::uint32_t* key, std::uint32_t count);
    void count_keys(Chunk& chunk, const std::uint32_t* key) const;
    std::uint32_t total_of_cells(std::uint32_t cell_begin, std::uint32_t cell_end) const;
    void make_places(std::uint32_t cell_begin, std::uint32_t cell_end, std::uint32_t place);
    void place_particles(Chunk& chunk, const std::uint32_t* key);

    std::uint32_t cell_count_ = 0;
    int threads_ = 1;
    std::uint32_t inside_count_ = 0;
    std::vector<Chunk> chunks_;
    std::vector<std::uint32_t> range_total_;
    Buffer<std::uint32_t> begin_, order_, next_;
};

} // namespace sluice::cpu

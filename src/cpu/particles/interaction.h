// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/records.h"
#include "model/constants.h"
#include <cstdint>

// The interaction as the backend sees it: plain views over raw pointers, and one object of functions for each
// instruction set. No inline function is shared between the two sides, or the linker could pick code that was
// compiled for a wider processor than the one at hand.

namespace sluice::cpu {

/// Rows of cells: row y + count_y·z holds the cells consecutive in x from row·count_x on.
struct Rows {
    int count_x = 0, count_y = 0, count_z = 0;
    int reach = 1; ///< neighbouring cells to search on either side
    /// Cells that hold particles of the run, along x, y, z: inner_begin … inner_end−1. Those outside hold images.
    int inner_begin[3] = {}, inner_end[3] = {};
    /// Of each row: 1 if it belongs to this rank, 0 if it holds what the rank sees of others' particles. Null: all do.
    const std::uint8_t* own = nullptr;

    bool owns(std::uint32_t row) const { return !own || own[row] != 0; }
};

/// Everything that the interaction reads and writes. Boundary records come before fluid records.
struct InteractionView {
    Rows rows;
    Record* records = nullptr;                     ///< only `drops_diffusion` is written, not of ghosts
    const std::uint16_t* search[3] = {};           ///< upper half of each lattice coordinate, for the coarse search
    const std::uint32_t* boundary_begin = nullptr; ///< index of the first boundary record of each cell, and the end
    const std::uint32_t* fluid_begin = nullptr;    ///< likewise fluid
    const std::uint8_t* near_boundary = nullptr;   ///< of each cell: 1 if boundary particles are within reach
    Accumulator* rates = nullptr;                  ///< of each record, to be added to
    bool boundary_rates = true; ///< whether those of the boundary records are needed; else they are undefined

    std::size_t cell_count() const { return std::size_t(rows.count_x) * rows.count_y * rows.count_z; }
};

/// Cells x_begin … x_end−1 of a row.
struct WorkUnit {
    std::uint32_t row = 0;
    std::uint32_t x_begin = 0, x_end = 0;
};

/// Rows begin … end−1, whose particles a caller may write to. A pair inside them is computed once, for both sides;
/// a pair that leaves them only for the side inside. All rows: symmetric. None: asymmetric, only the particle whose
/// neighbours are searched is written to.
struct OwnRows {
    std::uint32_t begin = 0, end = 0;
    bool has(std::uint32_t row) const { return row >= begin && row < end; }
};

/// The pair formulas compiled for one instruction set, one kernel and one density diffusion. Every function adds to
/// the rates; `fluid_boundary` of all units must be done before the others begin, since it says in the records which
/// particles take no density diffusion. The results are the largest c_a + max_b|h v·r/(r²+η²)| of the fluid particles
/// met.
class Interaction {
public:
    virtual ~Interaction() = default;
    /// The unit's fluid particles with their boundary neighbours.
    virtual float fluid_boundary(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const = 0;
    /// The unit's fluid particles with their fluid neighbours.
    virtual float fluid_fluid(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const = 0;
    /// The unit's boundary particles with the fluid neighbours outside the own rows.
    virtual void boundary_fluid(const InteractionView& view, const WorkUnit& unit, const OwnRows& own) const = 0;
};

} // namespace sluice::cpu

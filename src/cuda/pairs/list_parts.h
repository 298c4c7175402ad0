// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/pair_loops.h"
#include "cuda/pairs/neighbour_lists.h"

// How a loop over the list of a fluid particle goes from part to part (ListPart): the target moves on from image to
// image, and entries of 16 bits count from other rows.

namespace sluice::cuda {

/// Where a row of cells begins that entries of a part count from; `cell`: the particle's, `row` < list_rows. Rows
/// outside the grid hold no entries, and a part without entries has no rows.
SLUICE_INLINE std::uint32_t row_start(const InteractionView& v, const Units64& shift, std::uint32_t cell,
                                      const ListPart& part, int row) {
    const CellCoordinates at = cell_coordinates(v.grid, cell), by = cell_around(v.grid, shift),
                          first{at.x + by.x + 2 - int(part.cells_below), at.y + by.y + int(part.carry_y) + row % 3 - 1,
                                at.z + by.z + int(part.carry_z) + row / 3 - 1};
    if (unsigned(first.x) >= unsigned(v.grid.nx) || unsigned(first.y) >= unsigned(v.grid.ny) ||
        unsigned(first.z) >= unsigned(v.grid.nz))
        return 0;
    return (v.fluid.base + v.fluid.begin[cell_index(v.grid, first)]) & ~7u;
}

/// A list without parts of images.
struct OnePart {
    template <class UseRow>
    SLUICE_INLINE void go_to(int, Target&, const UseRow&) {}
    SLUICE_INLINE bool fills_up(std::uint32_t) const { return false; }
};

/// The parts of a list.
class PartsOfList {
public:
    /// `parts`: as ListView::parts(); `i`: the particle.
    SLUICE_INLINE PartsOfList(const InteractionView& v, const GridPeriod& period, const ListPart* parts,
                              int chunks_per_eight, std::uint32_t i)
        : v_(v), period_(period), next_(parts), chunks_per_eight_(chunks_per_eight), i_(i) {
        look_ahead();
    }

    /// Brings the target to the part that holds a chunk, not before the last one asked for. `use_row(row, start)` gets
    /// the rows of another part, the particle itself among them.
    template <class UseRow>
    SLUICE_INLINE void go_to(int chunk, Target& target, const UseRow& use_row) {
        if (chunk < begin_) return;
        ListPart part{};
        do {
            part = *next_++;
            look_ahead();
        } while (chunk >= begin_);
        const Units64 shift = period_.shift_to(int(part.image));
        target = load_target(v_, i_).shifted(shift);
        for (int row = 0; row < list_rows; ++row) use_row(row, row_start(v_, shift, v_.cell[i_], part, row));
        use_row(ListView::self_row, i_);
    }

    /// Whether an entry only fills the list up: the particle itself, from which an image may be so far away that their
    /// separation (fixed_grid.h) is no number.
    SLUICE_INLINE bool fills_up(std::uint32_t entry) const { return entry == i_; }

private:
    SLUICE_INLINE void look_ahead() { begin_ = int(next_->first_eight) * chunks_per_eight_; }

    const InteractionView& v_;
    const GridPeriod& period_;
    const ListPart* next_;
    int begin_ = 0; ///< chunk with which the next part begins
    int chunks_per_eight_;
    std::uint32_t i_;
};

} // namespace sluice::cuda

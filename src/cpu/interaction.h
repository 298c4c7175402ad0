// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/records.h"
#include "sph/constants.h"
#include <cstdint>

// The interaction as the backend sees it: plain views over raw pointers, and one table of functions an instruction
// set. Nothing with a body crosses from one to the other, or the linker could pick code for the wrong processor.

namespace sluice::cpu {

/// Rows of cells: row y + count_y·z holds the cells consecutive in x from row·count_x on.
struct Rows {
    int count_x = 0, count_y = 0, count_z = 0;
    int reach = 1;
};

/// Everything that the interaction reads and writes. Boundary records come before fluid records.
struct InteractionView {
    Rows rows;
    const Record* records = nullptr;
    const std::uint32_t* boundary_begin = nullptr; ///< index of the first boundary record of each cell, and the end
    const std::uint32_t* fluid_begin = nullptr;    ///< likewise fluid
    Accumulator* rates = nullptr;                  ///< of each record
};

/// Cells x_begin … x_end−1 of a row: what one thread takes at a time.
struct WorkUnit {
    std::uint32_t row = 0;
    std::uint32_t x_begin = 0, x_end = 0;
};

/// The pair formulas compiled for one instruction set, one kernel and one density diffusion.
class Interaction {
public:
    virtual ~Interaction() = default;
    /// Rates of the unit's fluid particles from all their neighbours. Returns the largest c_a + max_b|h v·r/(r²+η²)|.
    virtual float gather_fluid(const InteractionView& view, const WorkUnit& unit) const = 0;
    /// dρ/dt of the unit's boundary particles from fluid. Returns their largest c_a if they limit the time step, else 0.
    virtual float gather_boundary(const InteractionView& view, const WorkUnit& unit) const = 0;
};

} // namespace sluice::cpu

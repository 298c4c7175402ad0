// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/image_loops.h"
#include "model/constants.h"
#include "physics/sph/flow_gradients.h"

// Operators of physics/ that sum something up over a particle's neighbours (physics/sph/flow_gradients.h is one), one
// particle at a time, host and device: the plain way from a formula to a field, beside the interaction.

namespace sluice::cuda {

/// Constants of an operator for both kinds of neighbour of a fluid particle.
template <class Op>
struct GatherConstants {
    typename Op::template Constants<float> fluid, boundary;

    explicit GatherConstants(const sph::Constants& c)
        : fluid(c, sph::PairKind::fluid_fluid, {1}), boundary(c, sph::PairKind::fluid_boundary, {1}) {}
};

/// An operator's sums for one particle.
template <class Op>
struct GatherSums {
    float of[Op::sum_count] = {};
};

/// What operators read of particle j when it is in the flow: velocity and density.
struct FlowSides {
    const Flow* flow;
    template <class Op>
    SLUICE_INLINE typename Op::template Side<float> of(std::uint32_t j) const {
        return Op::template read<float>(load16(flow + j));
    }
};

/// Adds the pairs of a target with the particles of the rows around `cell`; `sides.of<Op>(j)` is what the operator
/// reads of particle j.
template <class Op, class Sides, class Rows, class Cell>
SLUICE_INLINE void add_near(const InteractionView& v, const typename Op::template Constants<float>& c,
                            const Sides& sides, const typename Op::template Side<float>& own, const Target& a,
                            const Rows& rows, const Cell& cell, GatherSums<Op>& sums) {
    rows.for_each(cell, a.reach(v.grid), [&](Range range) {
        for_each_near(v, a, c.support2, range, [&](std::uint32_t j) {
            const Separation s = separation_from(v, a, load16(v.position + j));
            Op::add(c, s.dx, s.dy, s.dz, s.r2, own, sides.template of<Op>(j), sums.of);
        });
    });
}

/// The sums of fluid particle i over its fluid neighbours, and boundary neighbours if the operator sees them, across
/// periodic sides too. The cells may be
/// those of the last build of neighbour lists, which holds in every version: fluid is searched around the cell of that
/// time, the boundary around where the particle is.
template <class Op, class Sides>
SLUICE_INLINE GatherSums<Op> gather_sums(const InteractionView& v, const GatherConstants<Op>& c, const Sides& sides,
                                         const GridPeriod& period, std::uint32_t i) {
    const Target a = load_target(v, i);
    const auto own = sides.template of<Op>(i);
    const std::uint32_t cell = v.cell[i];
    GatherSums<Op> sums;
    add_near<Op>(v, c.fluid, sides, own, a, WholeRows{v.grid, v.fluid}, cell, sums);
    for_each_image_box(v.grid, period, cell, [&](const Units64& shift, const CellBox& box) {
        add_near<Op>(v, c.fluid, sides, own, a.shifted(shift), BoxRows{v.grid, v.fluid}, box, sums);
    });
    if (Op::sees_boundary && v.near_boundary[cell])
        for_each_place(v.grid, period, a.position(), cell, [&](const Units64& shift, const CellCoordinates& at) {
            add_near<Op>(v, c.boundary, sides, own, a.shifted(shift), ImageRows{v.grid, v.boundary}, at, sums);
        });
    return sums;
}

} // namespace sluice::cuda

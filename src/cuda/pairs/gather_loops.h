// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/pairs/image_loops.h"
#include "model/constants.h"
#include "physics/sph/apparent_viscosity.h"

// Operators of physics/ that sum something up over a particle's neighbours (physics/sph/flow_gradients.h is one), one
// particle at a time, host and device: the plain way from a formula to a field, beside the interaction.

namespace sluice::cuda {

/// Constants of an operator for both kinds of neighbour of a fluid particle.
template <class Op>
struct GatherConstants {
    typename Op::template Constants<float> fluid, boundary;

    explicit GatherConstants(const sph::Constants& c)
        : fluid(c, sph::PairKind::fluid_fluid, sph::metre), boundary(c, sph::PairKind::fluid_boundary, sph::metre) {}
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

/// Reads the side of particle j that sph::ViscousForce takes.
struct ViscousSides {
    const Flow* flow;
    const float* viscosity; ///< of the fluid by index, m²/s
    std::uint32_t first;    ///< index of the first fluid particle

    template <class Op>
    SLUICE_INLINE typename Op::template Side<float> of(std::uint32_t j) const {
        const Flow f = load16(flow + j);
        return {f.vx, f.vy, f.vz, f.rho, j < first ? 0.0f : viscosity[j - first]};
    }
};

/// Adds the pair of a target, seen from where it or an image of it is, with particle j.
template <class Op, class Sides>
SLUICE_INLINE void add_neighbour(const InteractionView& v, const typename Op::template Constants<float>& c,
                                 const Sides& sides, const Target& a, const typename Op::template Side<float>& own,
                                 std::uint32_t j, GatherSums<Op>& sums) {
    const Separation s = separation_from(v, a, load16(v.position + j));
    Op::add(c, s.dx, s.dy, s.dz, s.r2, own, sides.template of<Op>(j), sums.of);
}

/// Adds the pairs of a target with the particles of the rows around `cell`; `sides.of<Op>(j)` is what the operator
/// reads of particle j.
template <class Op, class Sides, class Rows, class Cell>
SLUICE_INLINE void add_near(const InteractionView& v, const typename Op::template Constants<float>& c,
                            const Sides& sides, const typename Op::template Side<float>& own, const Target& a,
                            const Rows& rows, const Cell& cell, GatherSums<Op>& sums) {
    rows.for_each(cell, a.reach(v.grid), [&](Range range) {
        for_each_near(v, a, c.support2, range, [&](std::uint32_t j) { add_neighbour(v, c, sides, a, own, j, sums); });
    });
}

/// A fluid particle whose sums are made, and what of it does not change on the way.
template <class Op>
struct GatherTarget {
    Target at;
    typename Op::template Side<float> own;
    std::uint32_t cell;
};

/// Adds the fluid neighbours of a particle, across periodic sides too. The cells may be those of the last build of
/// neighbour lists, which holds in every version.
template <class Op, class Sides>
SLUICE_INLINE void add_fluid(const InteractionView& v, const GatherConstants<Op>& c, const Sides& sides,
                             const GridPeriod& period, const GatherTarget<Op>& a, GatherSums<Op>& sums) {
    add_near<Op>(v, c.fluid, sides, a.own, a.at, WholeRows{v.grid, v.fluid}, a.cell, sums);
    for_each_image_box(v.grid, period, a.cell, [&](const Units64& shift, const CellBox& box) {
        add_near<Op>(v, c.fluid, sides, a.own, a.at.shifted(shift), BoxRows{v.grid, v.fluid}, box, sums);
    });
}

/// Adds its boundary neighbours, around where it is now, if the operator sees them.
template <class Op, class Sides>
SLUICE_INLINE void add_boundary(const InteractionView& v, const GatherConstants<Op>& c, const Sides& sides,
                                const GridPeriod& period, const GatherTarget<Op>& a, GatherSums<Op>& sums) {
    if (!Op::sees_boundary || !v.near_boundary[a.cell]) return;
    for_each_place(v.grid, period, a.at.position(), a.cell, [&](const Units64& shift, const CellCoordinates& at) {
        add_near<Op>(v, c.boundary, sides, a.own, a.at.shifted(shift), ImageRows{v.grid, v.boundary}, at, sums);
    });
}

template <class Op, class Sides>
SLUICE_INLINE GatherTarget<Op> gather_target(const InteractionView& v, const Sides& sides, std::uint32_t i) {
    return {load_target(v, i), sides.template of<Op>(i), v.cell[i]};
}

/// The sums of fluid particle i over its neighbours, found in cells.
template <class Op, class Sides>
SLUICE_INLINE GatherSums<Op> gather_sums(const InteractionView& v, const GatherConstants<Op>& c, const Sides& sides,
                                         const GridPeriod& period, std::uint32_t i) {
    const GatherTarget<Op> a = gather_target<Op>(v, sides, i);
    GatherSums<Op> sums;
    add_fluid(v, c, sides, period, a, sums);
    add_boundary(v, c, sides, period, a, sums);
    return sums;
}

} // namespace sluice::cuda

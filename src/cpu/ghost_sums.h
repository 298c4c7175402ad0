// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/interaction.h"
#include "cpu/lattice.h"
#include "cpu/particles.h"
#include "cpu/scalar_pairs.h"
#include "physics/sph/wall_extrapolation.h"
#include <algorithm>
#include <cmath>

namespace sluice::cpu {

/// The sums of ghost nodes over the fluid around them; `Op`: a sph::GhostNode.
template <class Op>
class GhostSums {
public:
    GhostSums(const RunSetup& setup, const Space& space)
        : space_(space), constants_(setup.constants, lattice_unit(setup.constants)) {
        for (int axis = 0; axis < 3; ++axis)
            if (space.stride[axis] == 1) fastest_ = axis;
    }

    /// Adds the fluid particles in reach of a place for which `takes(record)` holds to its sums.
    template <class Takes>
    void add_around(const InteractionView& view, const Vec3d& place, const Takes& takes,
                    float (&sums)[Op::sum_count]) const {
        const double scale = space_.units_per_metre;
        const Record node{
            to_lattice(place.x, scale), to_lattice(place.y, scale), to_lattice(place.z, scale), 0, 0, 0, 0, 0};
        int low[3], high[3]; // cells
        for (int axis = 0; axis < 3; ++axis) {
            const double cell = space_.walked_cell(place[axis], axis);
            low[axis] = static_cast<int>(std::clamp(cell - view.rows.reach, 0.0, double(space_.walked[axis])));
            high[axis] = static_cast<int>(std::clamp(cell + view.rows.reach, -1.0, double(space_.walked[axis] - 1)));
        }
        const int second = (fastest_ + 1) % 3, third = (fastest_ + 2) % 3;
        for (int b = low[third]; b <= high[third]; ++b)
            for (int a = low[second]; a <= high[second]; ++a) {
                const std::uint32_t* const row =
                    view.fluid_begin + a * space_.stride[second] + std::ptrdiff_t(b) * space_.stride[third];
                for (std::uint32_t j = row[low[fastest_]]; j < row[high[fastest_] + 1]; ++j) {
                    const Separation s(node, view.records[j]);
                    if (s.r2 < constants_.support2 && takes(j))
                        Op::add(constants_, s.dx, s.dy, s.dz, s.r2, view.records[j], sums);
                }
            }
    }

private:
    const Space& space_;
    sph::GhostNodeConstants<float> constants_;
    int fastest_ = 0; ///< axis along which cells follow one another
};

} // namespace sluice::cpu

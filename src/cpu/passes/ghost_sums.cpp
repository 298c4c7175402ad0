// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/ghost_sums.h"

#include "cpu/particles/lattice.h"
#include "cpu/simd/make_interaction.h"
#include "physics/sph/wall_extrapolation.h"

#include <algorithm>

namespace sluice::cpu {

GhostSums::GhostSums(const std::string& simd, const sph::Constants& constants, const Space& space, bool with_velocity)
    : space_(space), gather_(make_ghost_gather(simd, with_velocity, constants)) {
    for (int axis = 0; axis < 3; ++axis)
        if (space.stride[axis] == 1) fastest_ = axis;
}

void GhostSums::around(const InteractionView& view, const Vec3d& place, const std::int32_t* zones, float* sums) const {
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
    RecordRanges ranges;
    for (int b = low[third]; b <= high[third]; ++b)
        for (int a = low[second]; a <= high[second]; ++a) {
            const std::uint32_t* const row =
                view.fluid_begin + a * space_.walked_stride[second] + std::ptrdiff_t(b) * space_.walked_stride[third];
            const std::uint32_t begin = row[low[fastest_]], end = row[high[fastest_] + 1];
            if (begin >= end) continue;
            ranges.begin[ranges.count] = begin;
            ranges.end[ranges.count++] = end;
        }
    gather_->sum(view, ranges, node, zones, sums);
}

std::vector<float> GhostSums::around_all(const InteractionView& view, const std::vector<Vec3d>& places,
                                         const ZonesNear& zones, const ThreadCount& threads, Halo& halo) const {
    return halo.at_owners(places, sph::ghost_sum_count, [&](const std::vector<Vec3d>& here, float* sums) {
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads.now())
        for (std::size_t k = 0; k < here.size(); ++k)
            around(view, here[k], zones(here[k]), sums + k * sph::ghost_sum_count);
    });
}

} // namespace sluice::cpu

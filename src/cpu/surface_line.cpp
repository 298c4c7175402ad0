// SPDX-License-Identifier: Apache-2.0
#include "cpu/surface_line.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sluice::cpu {

namespace {

/// The cells along an axis that hold what lies between two coordinates.
struct CellSpan {
    int first, last;
};
CellSpan cells_between(const Space& space, int axis, double low, double high) {
    const auto cell = [&](double coordinate) {
        const int c = static_cast<int>(space.walked_cell(coordinate, axis));
        return std::clamp(c, 0, space.walked[axis] - 1);
    };
    return {cell(low), cell(high)};
}

/// Calls `use(i)` with the fluid particles of the cells that a box touches, in the order of the cells.
template <class Use>
void for_each_near(const Space& space, const SortedGroup& fluid, std::uint32_t first, const Vec3d& low,
                   const Vec3d& high, const Use& use) {
    CellSpan span[3];
    for (int axis = 0; axis < 3; ++axis) span[axis] = cells_between(space, axis, low[axis], high[axis]);
    const std::uint32_t* const begin = fluid.cells.begin();
    for (int z = span[2].first; z <= span[2].last; ++z)
        for (int y = span[1].first; y <= span[1].last; ++y)
            for (int x = span[0].first; x <= span[0].last; ++x) {
                const int cell = x * space.stride.x + y * space.stride.y + z * space.stride.z;
                for (std::uint32_t i = begin[cell]; i < begin[cell + 1]; ++i) use(i - first);
            }
}

/// φ at all check points of a line.
template <class Kernel>
std::vector<double> fractions(const sph::Constants& c, const Space& space, const SortedGroup& fluid,
                              std::uint32_t first, const Vec3d& foot, const sph::CheckPoints& points) {
    const int count = points.count();
    const double reach = 2 * c.h, scale = c.mass_fluid * Kernel::normalisation(c.h, c.two_d);
    std::vector<double> sums(static_cast<std::size_t>(count));
    const Vec3d around{reach, reach, reach}, top = foot + Vec3d{0, 0, points.length};
    for_each_near(space, fluid, first, foot - around, top + around, [&](std::uint32_t i) {
        Vec3d r = fluid.state.position[i] - foot;
        if (c.two_d) r.y = 0;
        const double across2 = r.x * r.x + r.y * r.y, rest2 = reach * reach - across2;
        if (rest2 <= 0) return;
        const double most = std::sqrt(rest2);
        const int from = std::max(0, static_cast<int>(std::floor((r.z - most) / points.spacing)));
        for (int k = from; k < count && points.at(k) < r.z + most; ++k) {
            const double along = points.at(k) - r.z, r2 = across2 + along * along;
            if (r2 < reach * reach)
                sums[static_cast<std::size_t>(k)] +=
                    sph::fluid_fraction<Kernel>(scale, double(fluid.state.flow[i].rho), r2, c.h);
        }
    });
    return sums;
}

} // namespace

double surface_above(const sph::Constants& c, const Space& space, const SortedGroup& fluid, std::uint32_t first,
                     const Vec3d& foot, const sph::CheckPoints& points, double limit) {
    const std::vector<double> fraction = sph::with_kernel(
        c.kernel, [&]<class Kernel>(Kernel) { return fractions<Kernel>(c, space, fluid, first, foot, points); });
    return sph::find_surface(points, limit, [&](int k) { return fraction[static_cast<std::size_t>(k)]; });
}

} // namespace sluice::cpu

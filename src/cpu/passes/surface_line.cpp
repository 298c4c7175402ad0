// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/surface_line.h"

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

/// A particle near the line, and its cell's place among those that are visited.
struct NearParticle {
    std::uint64_t cell;
    Vec3d position;
    double density;
};

/// The fluid particles of the own cells that a box touches, in the order of the cells.
std::vector<NearParticle> particles_near(const Space& space, const SortedGroup& fluid, std::uint32_t first,
                                         const Vec3d& low, const Vec3d& high) {
    CellSpan span[3];
    for (int axis = 0; axis < 3; ++axis) span[axis] = cells_between(space, axis, low[axis], high[axis]);
    const std::uint32_t* const begin = fluid.cells.begin();
    const auto row_length = static_cast<std::uint32_t>(space.rows.count_x);
    std::vector<NearParticle> found;
    for (int z = span[2].first; z <= span[2].last; ++z)
        for (int y = span[1].first; y <= span[1].last; ++y)
            for (int x = span[0].first; x <= span[0].last; ++x) {
                const Vec3i& stride = space.walked_stride;
                const auto cell = static_cast<std::uint32_t>(x * stride.x + y * stride.y + z * stride.z);
                const std::uint32_t row = cell / row_length;
                if (!space.rows.owns(row)) continue;
                const auto at = [&](int local, int axis) {
                    return static_cast<std::uint64_t>(space.first[axis] + local);
                };
                const std::uint64_t place = (at(z, 2) * static_cast<std::uint64_t>(space.count.y) + at(y, 1)) *
                                                static_cast<std::uint64_t>(space.count.x) +
                                            at(x, 0);
                for (std::uint32_t i = begin[cell] - first; i < begin[cell + 1] - first; ++i)
                    found.push_back({place, fluid.state.position[i], double(fluid.state.flow[i].rho)});
            }
    return found;
}

/// φ at all check points of a line.
template <class Kernel>
std::vector<double> fractions(const sph::Constants& c, const std::vector<NearParticle>& particles, const Vec3d& foot,
                              const sph::CheckPoints& points) {
    const int count = points.count();
    const double reach = 2 * c.h, scale = c.mass_fluid * Kernel::normalisation(c.h, c.two_d);
    std::vector<double> sums(static_cast<std::size_t>(count));
    for (const NearParticle& p : particles) {
        Vec3d r = p.position - foot;
        if (c.two_d) r.y = 0;
        const double across2 = r.x * r.x + r.y * r.y, rest2 = reach * reach - across2;
        if (rest2 <= 0) continue;
        const double most = std::sqrt(rest2);
        const int from = std::max(0, static_cast<int>(std::floor((r.z - most) / points.spacing)));
        for (int k = from; k < count && points.at(k) < r.z + most; ++k) {
            const double along = points.at(k) - r.z, r2 = across2 + along * along;
            if (r2 < reach * reach)
                sums[static_cast<std::size_t>(k)] += sph::fluid_fraction<Kernel>(scale, p.density, r2, c.h);
        }
    }
    return sums;
}

} // namespace

double surface_above(const sph::Constants& c, const Space& space, const SortedGroup& fluid, std::uint32_t first,
                     Halo& halo, const Vec3d& foot, const sph::CheckPoints& points, double limit) {
    const double reach = 2 * c.h;
    const Vec3d around{reach, reach, reach}, top = foot + Vec3d{0, 0, points.length};
    std::vector<NearParticle> particles = halo.of_all(particles_near(space, fluid, first, foot - around, top + around));
    if (!halo.alone()) std::ranges::stable_sort(particles, {}, &NearParticle::cell); // a cell is on one rank
    const std::vector<double> fraction =
        sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) { return fractions<Kernel>(c, particles, foot, points); });
    return sph::find_surface(points, limit, [&](int k) { return fraction[static_cast<std::size_t>(k)]; });
}

} // namespace sluice::cpu

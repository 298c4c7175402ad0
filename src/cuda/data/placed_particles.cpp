// SPDX-License-Identifier: Apache-2.0
#include "cuda/data/placed_particles.h"

#include <cmath>

namespace sluice::cuda {

namespace {

std::vector<Vec3d> in_order(const std::vector<Vec3d>& values, const std::vector<std::uint32_t>& order) {
    std::vector<Vec3d> ordered;
    ordered.reserve(order.size());
    for (const std::uint32_t i : order) ordered.push_back(values[i]);
    return ordered;
}

} // namespace

PlacedParticles::PlacedParticles(const FixedGrid& grid, const GridPeriod& period, const std::vector<Vec3d>& metres) {
    position.reserve(metres.size());
    cell.reserve(metres.size());
    const double unit = grid.unit;
    for (const Vec3d& r : metres) {
        const Units64 u =
            period.wrapped({std::llround(r.x / unit), std::llround(r.y / unit), std::llround(r.z / unit)});
        position.push_back(displaced({}, u));
        cell.push_back(cell_of(grid, u));
    }
}

PlacedParticles::PlacedParticles(const FixedGrid& grid, const GridPeriod& period, const std::vector<Vec3d>& metres,
                                 const std::vector<std::uint32_t>& order)
    : PlacedParticles(grid, period, in_order(metres, order)) {}

void PlacedParticles::move_next_to(const PlacedParticles& then, const FixedGrid& grid, const GridPeriod& period) {
    for (std::size_t k = 0; k < position.size(); ++k) {
        const Units64 there = unwrap(grid, then.position[k], then.cell[k]), here = unwrap(grid, position[k], cell[k]);
        const auto distance = [&](const Units64& shift) {
            const Units64 d = here + shift - there;
            return std::hypot(double(d.x), double(d.y), double(d.z));
        };
        Units64 best{};
        period.for_each_shift([&](const Units64& shift) {
            if (distance(shift) < distance(best)) best = shift;
        });
        position[k] = displaced(position[k], best);
    }
}

} // namespace sluice::cuda

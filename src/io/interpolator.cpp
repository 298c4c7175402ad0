// SPDX-License-Identifier: Apache-2.0
#include "io/layout.h"
#include "io/measure.h"
#include "sph/kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice {
namespace {

constexpr double least_fraction = 0.1;

struct Sums {
    double weight = 0, pressure = 0, density = 0;
    Vec3d velocity;
};

Measurement divided(const Sums& sums, double normalisation) {
    Measurement result;
    result.fraction = sums.weight * normalisation;
    // Below, a handful of droplets at the rim of the kernel would pass for a measurement.
    if (!(result.fraction >= least_fraction)) {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        result.velocity = {none, none, none};
        result.pressure = result.density = none;
        return result;
    }
    result.velocity = (1 / sums.weight) * sums.velocity;
    result.pressure = sums.pressure / sums.weight;
    result.density = sums.density / sums.weight;
    return result;
}

} // namespace

FluidInterpolator::FluidInterpolator(const Frame& frame, std::uint32_t boundary_count, const sph::Constants& constants)
    : frame_(frame), constants_(constants) {
    const auto begin = static_cast<std::uint32_t>(fluid_begin(frame, boundary_count));
    const auto end = static_cast<std::uint32_t>(frame.size());
    if (begin < end) origin_ = frame.position[begin];
    std::vector<std::pair<Cell, std::uint32_t>> keyed;
    keyed.reserve(end - begin);
    for (std::uint32_t i = begin; i < end; ++i) keyed.emplace_back(key(cell_of(frame.position[i])), i);
    std::sort(keyed.begin(), keyed.end());
    order_.reserve(keyed.size());
    for (const auto& [cell, i] : keyed) {
        const auto place = static_cast<std::uint32_t>(order_.size());
        if (cells_.empty() || cells_.back().cell != cell) cells_.push_back({cell, place, place});
        cells_.back().end = place + 1;
        order_.push_back(i);
    }
}

Vec3i FluidInterpolator::cell_of(const Vec3d& point) const {
    const double size = 2 * constants_.h;
    const auto along = [&](double x, double from) { return static_cast<int>(std::floor((x - from) / size)); };
    return {along(point.x, origin_.x), constants_.two_d ? 0 : along(point.y, origin_.y), along(point.z, origin_.z)};
}

FluidInterpolator::Cell FluidInterpolator::key(const Vec3i& cell) {
    // 21 bits a direction: the particles of any case are closer than a million cells to the first one.
    constexpr Cell offset = 1 << 20, mask = (1 << 21) - 1;
    return ((cell.z + offset) & mask) << 42 | ((cell.y + offset) & mask) << 21 | ((cell.x + offset) & mask);
}

Measurement FluidInterpolator::at(const Vec3d& point) const {
    const double h = constants_.h, reach2 = 4 * h * h;
    const Vec3i middle = cell_of(point);
    const int dy = constants_.two_d ? 0 : 1;
    Sums sums;
    const auto add_cell = [&](const Vec3i& cell, auto kernel) {
        const Cell wanted = key(cell);
        const auto found = std::lower_bound(cells_.begin(), cells_.end(), wanted,
                                            [](const CellStart& c, Cell k) { return c.cell < k; });
        if (found == cells_.end() || found->cell != wanted) return;
        for (std::uint32_t k = found->begin; k < found->end; ++k) {
            const std::uint32_t i = order_[k];
            Vec3d r = frame_.position[i] - point;
            if (constants_.two_d) r.y = 0;
            const double r2 = dot(r, r);
            if (r2 >= reach2) continue;
            const double density = frame_.density[i];
            const double weight = constants_.mass_fluid / density * kernel.value(std::sqrt(r2) / h);
            sums.weight += weight;
            sums.pressure += weight * static_cast<double>(frame_.pressure[i]);
            sums.density += weight * density;
            sums.velocity = sums.velocity + weight * vec_cast<double>(frame_.velocity[i]);
        }
    };
    return sph::with_kernel(constants_.kernel, [&](auto kernel) {
        for (int z = -1; z <= 1; ++z)
            for (int y = -dy; y <= dy; ++y)
                for (int x = -1; x <= 1; ++x) add_cell({middle.x + x, middle.y + y, middle.z + z}, kernel);
        return divided(sums, kernel.normalisation(h, constants_.two_d));
    });
}

} // namespace sluice

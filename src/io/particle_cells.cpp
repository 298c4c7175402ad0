// SPDX-License-Identifier: Apache-2.0
#include "io/particle_cells.h"

#include <cmath>
#include <limits>
#include <utility>

namespace sluice {
namespace {

bool is_near(const Vec3d& p, const Box& region, double reach, bool two_d) {
    for (int axis = 0; axis < 3; ++axis) {
        if (two_d && axis == 1) continue;
        if (p[axis] < region.min[axis] - reach || p[axis] > region.max[axis] + reach) return false;
    }
    return true;
}

} // namespace

ParticleCells::ParticleCells(const std::vector<Vec3d>& position, std::size_t begin, std::size_t end, double reach,
                             bool two_d, const std::optional<Box>& region)
    : position_(position), reach_(reach), two_d_(two_d) {
    if (begin < end) origin_ = position[begin];
    std::vector<std::pair<Cell, std::uint32_t>> keyed;
    if (!region) keyed.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i)
        if (!region || is_near(position[i], *region, reach, two_d))
            keyed.emplace_back(key(cell_of(position[i])), static_cast<std::uint32_t>(i));
    std::sort(keyed.begin(), keyed.end());
    order_.reserve(keyed.size());
    for (const auto& [cell, i] : keyed) {
        const auto place = static_cast<std::uint32_t>(order_.size());
        if (cells_.empty() || cells_.back().cell != cell) cells_.push_back({cell, place, place});
        cells_.back().end = place + 1;
        order_.push_back(i);
    }
}

Vec3i ParticleCells::cell_of(const Vec3d& point) const {
    const auto along = [&](double x, double from) { return static_cast<int>(std::floor((x - from) / reach_)); };
    return {along(point.x, origin_.x), two_d_ ? 0 : along(point.y, origin_.y), along(point.z, origin_.z)};
}

ParticleCells::Cell ParticleCells::key(const Vec3i& cell) {
    // 21 bits a direction: the particles of any case are closer than a million cells to the first one.
    constexpr Cell offset = 1 << 20, mask = (1 << 21) - 1;
    return ((cell.z + offset) & mask) << 42 | ((cell.y + offset) & mask) << 21 | ((cell.x + offset) & mask);
}

Box box_around(const std::vector<Vec3d>& points) {
    constexpr double huge = std::numeric_limits<double>::max();
    Box box{{huge, huge, huge}, {-huge, -huge, -huge}};
    for (const Vec3d& p : points)
        for (int axis = 0; axis < 3; ++axis) {
            box.min[axis] = std::min(box.min[axis], p[axis]);
            box.max[axis] = std::max(box.max[axis], p[axis]);
        }
    return box;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/particle_cells.h"

#include <cmath>
#include <limits>
#include <utility>

namespace sluice {
namespace {

constexpr double huge = std::numeric_limits<double>::max();

Box empty_box() { return {{huge, huge, huge}, {-huge, -huge, -huge}}; }

void include(Box& box, const Vec3d& p) {
    for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] = std::min(box.min[axis], p[axis]);
        box.max[axis] = std::max(box.max[axis], p[axis]);
    }
}

/// The box around all regions, with what can reach them.
Box reachable_box(const std::vector<Box>& regions, double reach) {
    Box box = empty_box();
    for (const Box& region : regions) {
        include(box, region.min - Vec3d{reach, reach, reach});
        include(box, region.max + Vec3d{reach, reach, reach});
    }
    return box;
}

Box box_of(const std::vector<Vec3d>& position, std::size_t begin, std::size_t end) {
    Box box = empty_box();
    for (std::size_t i = begin; i < end; ++i) include(box, position[i]);
    return box;
}

void restrict_to(Box& box, const Box& other) {
    for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] = std::max(box.min[axis], other.min[axis]);
        box.max[axis] = std::min(box.max[axis], other.max[axis]);
    }
}

/// How many cells of a side a box takes along an axis.
double cells_along(const Box& box, int axis, double side) {
    return std::floor((box.max[axis] - box.min[axis]) / side) + 1;
}

double cells_in(const Box& box, double side) {
    return cells_along(box, 0, side) * cells_along(box, 1, side) * cells_along(box, 2, side);
}

} // namespace

ParticleCells::ParticleCells(const std::vector<Vec3d>& position, std::size_t begin, std::size_t end, double reach,
                             bool two_d, const std::vector<Box>& regions)
    : position_(position), reach_(reach), two_d_(two_d) {
    const double most_cells = 4.0 * static_cast<double>(end - begin) + 64;
    Box box = regions.empty() ? box_of(position, begin, end) : reachable_box(regions, reach);
    if (two_d) box.min.y = box.max.y = 0;
    // a region may reach far beyond the particles
    if (!regions.empty() && cells_in(box, reach) > most_cells) restrict_to(box, box_of(position, begin, end));
    if (two_d) box.min.y = box.max.y = 0;
    if (box.min.x > box.max.x || box.min.y > box.max.y || box.min.z > box.max.z) return;
    lay_out(box, most_cells);

    const std::vector<bool> wanted = cells_near(regions);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> kept; // cell, particle
    if (regions.empty()) kept.reserve(end - begin);
    start_.assign(cell_count() + 1, 0);
    for (std::size_t i = begin; i < end; ++i) {
        if (!holds(position[i])) continue;
        const std::size_t cell = index(cell_of(position[i], 0));
        if (!wanted.empty() && !wanted[cell]) continue;
        kept.emplace_back(static_cast<std::uint32_t>(cell), static_cast<std::uint32_t>(i));
        ++start_[cell + 1];
    }
    for (std::size_t cell = 1; cell < start_.size(); ++cell) start_[cell] += start_[cell - 1];
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    order_.resize(kept.size());
    for (const auto& [cell, i] : kept) order_[next[cell]++] = i;
}

/// Cells of the reach, or larger where so few particles are spread over so much space.
void ParticleCells::lay_out(const Box& box, double most_cells) {
    box_ = box;
    double side = reach_;
    while (cells_in(box, side) > most_cells) side *= 2;
    cells_a_metre_ = 1 / side;
    for (int axis = 0; axis < 3; ++axis) count_[axis] = static_cast<int>(cells_along(box, axis, side));
}

bool ParticleCells::holds(const Vec3d& p) const {
    return p.x >= box_.min.x && p.x <= box_.max.x && p.z >= box_.min.z && p.z <= box_.max.z &&
           (two_d_ || (p.y >= box_.min.y && p.y <= box_.max.y));
}

Vec3i ParticleCells::cell_of(const Vec3d& point, double shift) const {
    Vec3i cell;
    for (int axis = 0; axis < 3; ++axis) {
        const double along = (point[axis] + shift - box_.min[axis]) * cells_a_metre_;
        cell[axis] = along > 0 ? static_cast<int>(std::min(along, static_cast<double>(count_[axis] - 1))) : 0; // NaN: 0
    }
    return cell; // in two dimensions there is one layer of them
}

std::vector<bool> ParticleCells::cells_near(const std::vector<Box>& regions) const {
    std::vector<bool> near;
    if (regions.empty()) return near;
    near.resize(cell_count());
    for (const Box& region : regions) {
        const Vec3i low = cell_of(region.min, -reach_), high = cell_of(region.max, reach_);
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y)
                for (int x = low.x; x <= high.x; ++x) near[index({x, y, z})] = true;
    }
    return near;
}

Box box_around(const std::vector<Vec3d>& points) {
    Box box = empty_box();
    for (const Vec3d& p : points) include(box, p);
    return box;
}

std::vector<Box> boxes_at(const std::vector<Vec3d>& points) {
    std::vector<Box> boxes;
    boxes.reserve(points.size());
    for (const Vec3d& p : points) boxes.push_back({p, p});
    return boxes;
}

} // namespace sluice

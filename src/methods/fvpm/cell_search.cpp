// SPDX-License-Identifier: Apache-2.0
#include "core/cell_grid.h"
#include "methods/fvpm/neighbours.inl"
#include <limits>
#include <numeric>

namespace sluice::fvpm {

namespace {

class CellSearch final : public NeighbourSearch {
public:
    const char* name() const override { return "cells"; }

    std::vector<std::uint32_t> order(const Particles& p) override {
        lay_grid(p);
        std::vector<std::uint32_t> cell(p.size()), places(p.size());
        begin_.assign(static_cast<std::size_t>(grid_.size()) + 1, 0);
        for (std::size_t i = 0; i < p.size(); ++i) {
            cell[i] = static_cast<std::uint32_t>(number_of(cell_of(p.position[i])));
            ++begin_[cell[i] + 1];
        }
        std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
        std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
        for (std::size_t i = 0; i < p.size(); ++i) places[next[cell[i]]++] = static_cast<std::uint32_t>(i);
        return places;
    }

    void find(const Particles& p, NeighbourRows& rows) override {
        fill_rows(p, rows, [&](std::size_t i, auto visit) {
            const Vec3i c = cell_of(p.position[i]);
            const int from = std::max(c.x - 1, 0), to = std::min(c.x + 1, grid_.count.x - 1);
            for (int z = std::max(c.z - 1, 0); z <= std::min(c.z + 1, grid_.count.z - 1); ++z)
                for (int y = std::max(c.y - 1, 0); y <= std::min(c.y + 1, grid_.count.y - 1); ++y) {
                    const std::uint32_t end = begin_[number_of({to, y, z}) + 1]; // cells of a row follow one another
                    for (std::uint32_t j = begin_[number_of({from, y, z})]; j < end; ++j) visit(j);
                }
        });
    }

private:
    void lay_grid(const Particles& p) {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        Vec3d max{-infinite, -infinite, -infinite};
        low_ = {infinite, infinite, infinite};
        double largest = 0;
        for (std::size_t i = 0; i < p.size(); ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                low_[axis] = std::min(low_[axis], p.position[i][axis]);
                max[axis] = std::max(max[axis], p.position[i][axis]);
            }
            largest = std::max(largest, p.radius[i]);
        }
        grid_ = p.size() == 0 ? CellGrid{1, {1, 1, 1}, 1} : make_cell_grid(low_, max, largest, 1);
    }
    Vec3i cell_of(Vec3d x) const {
        Vec3i cell;
        for (int axis = 0; axis < 3; ++axis)
            cell[axis] = std::min(static_cast<int>((x[axis] - low_[axis]) / grid_.cell), grid_.count[axis] - 1);
        return cell;
    }
    std::size_t number_of(Vec3i c) const {
        return static_cast<std::size_t>(c.x) +
               static_cast<std::size_t>(grid_.count.x) *
                   (static_cast<std::size_t>(c.y) +
                    static_cast<std::size_t>(grid_.count.y) * static_cast<std::size_t>(c.z));
    }

    CellGrid grid_;
    Vec3d low_;
    std::vector<std::uint32_t> begin_;
};

} // namespace

std::unique_ptr<NeighbourSearch> make_cell_search() { return std::make_unique<CellSearch>(); }

std::unique_ptr<NeighbourSearch> make_search(SearchKind kind, const Particles& particles) {
    if (kind == SearchKind::automatic && particles.size() > 0) {
        const auto [least, largest] = std::minmax_element(particles.radius.begin(), particles.radius.end());
        kind = *largest > 1.5 * *least ? SearchKind::octree : SearchKind::cells;
    }
    return kind == SearchKind::octree ? make_octree_search() : make_cell_search();
}

NeighbourRows all_pairs(const Particles& particles) {
    NeighbourRows rows;
    fill_rows(particles, rows, [&](std::size_t, auto visit) {
        for (std::size_t j = 0; j < particles.size(); ++j) visit(j);
    });
    return rows;
}

} // namespace sluice::fvpm

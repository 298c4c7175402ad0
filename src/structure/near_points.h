// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace sluice {

/// Finds the points near a place: points by cubes of side `reach`, sorted.
class NearPoints {
public:
    /// `points` must outlive this. `reach`: m, positive.
    NearPoints(const std::vector<Vec3d>& points, double reach) : points_(points), reach_(reach) {
        for (std::uint32_t i = 0; i < points.size(); ++i) sorted_.push_back({cell_of(points[i]), i});
        std::sort(sorted_.begin(), sorted_.end());
    }

    /// Calls `visit(i)` for every point nearer to `place` than the reach, in the order of their numbers.
    template <class Visit>
    void for_each(const Vec3d& place, Visit&& visit) {
        const Cell centre = cell_of(place);
        found_.clear();
        for (std::int64_t x = centre[0] - 1; x <= centre[0] + 1; ++x)
            for (std::int64_t y = centre[1] - 1; y <= centre[1] + 1; ++y) {
                const Entry from{{x, y, centre[2] - 1}, 0}, to{{x, y, centre[2] + 2}, 0};
                for (auto e = std::lower_bound(sorted_.begin(), sorted_.end(), from); e != sorted_.end() && *e < to;
                     ++e) {
                    const Vec3d apart = place - points_[e->point];
                    if (dot(apart, apart) < reach_ * reach_) found_.push_back(e->point);
                }
            }
        std::sort(found_.begin(), found_.end());
        for (const std::uint32_t i : found_) visit(i);
    }

private:
    using Cell = std::array<std::int64_t, 3>;
    struct Entry {
        Cell cell;
        std::uint32_t point;
        auto operator<=>(const Entry&) const = default;
    };

    Cell cell_of(const Vec3d& p) const {
        const auto along = [&](double value) { return static_cast<std::int64_t>(std::floor(value / reach_)); };
        return {along(p.x), along(p.y), along(p.z)};
    }

    const std::vector<Vec3d>& points_;
    double reach_;
    std::vector<Entry> sorted_;
    std::vector<std::uint32_t> found_;
};

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "core/vec.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sluice {

/// Some particles of a frame, sorted into cells, so that those near a point are found quickly.
class ParticleCells {
public:
    /// Particles `begin` to `end` of `position`, for searches within `reach`. With a `region`, those that no point in
    /// it can reach are left out. In two dimensions y does not count.
    ParticleCells(const std::vector<Vec3d>& position, std::size_t begin, std::size_t end, double reach, bool two_d,
                  const std::optional<Box>& region = std::nullopt);

    /// Calls `use(particle, r2, r)` for each particle closer than the reach: r = point − position, r2 = r·r (m²).
    template <class Use>
    void for_each_near(const Vec3d& point, Use&& use) const {
        const Vec3i middle = cell_of(point);
        const int dy = two_d_ ? 0 : 1;
        for (int z = -1; z <= 1; ++z)
            for (int y = -dy; y <= dy; ++y)
                for (int x = -1; x <= 1; ++x) visit({middle.x + x, middle.y + y, middle.z + z}, point, use);
    }

private:
    using Cell = std::int64_t;
    struct CellStart {
        Cell cell;
        std::uint32_t begin, end;
    };
    Vec3i cell_of(const Vec3d& point) const;
    static Cell key(const Vec3i& cell);

    template <class Use>
    void visit(const Vec3i& cell, const Vec3d& point, Use&& use) const {
        const Cell wanted = key(cell);
        const auto found = std::lower_bound(cells_.begin(), cells_.end(), wanted,
                                            [](const CellStart& c, Cell k) { return c.cell < k; });
        if (found == cells_.end() || found->cell != wanted) return;
        for (std::uint32_t k = found->begin; k < found->end; ++k) {
            Vec3d r = point - position_[order_[k]];
            if (two_d_) r.y = 0;
            const double r2 = dot(r, r);
            if (r2 < reach_ * reach_) use(order_[k], r2, r);
        }
    }

    const std::vector<Vec3d>& position_;
    double reach_;
    bool two_d_;
    Vec3d origin_;
    std::vector<std::uint32_t> order_; ///< particles by cell
    std::vector<CellStart> cells_;     ///< occupied cells, ascending
};

/// The smallest box around some points; of none, an empty one that nothing lies in.
Box box_around(const std::vector<Vec3d>& points);

} // namespace sluice

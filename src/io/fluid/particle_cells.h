// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "core/vec.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice {

/// Some particles of a frame, sorted into cells, so that those near a point are found quickly. Made in linear time.
class ParticleCells {
public:
    /// Particles `begin` to `end` of `position` (which must stay), for searches within `reach`. With `regions`,
    /// particles that no point in one of them can reach are left out: nearly nothing is done for them. In two
    /// dimensions y does not count.
    ParticleCells(const std::vector<Vec3d>& position, std::size_t begin, std::size_t end, double reach, bool two_d,
                  const std::vector<Box>& regions = {});

    /// Calls `use(particle, r2, r)` for each particle closer than the reach: r = point − position, r2 = r·r (m²).
    template <class Use>
    void for_each_near(const Vec3d& point, Use&& use) const {
        const double limit = reach_ * reach_;
        for_each_in({point, point}, [&](std::uint32_t i) {
            Vec3d r = point - position_[i];
            if (two_d_) r.y = 0;
            const double r2 = dot(r, r);
            if (r2 < limit) use(i, r2, r);
        });
    }

    /// Calls `use(particle)` for each particle that a point of the box can reach, and for some around them.
    template <class Use>
    void for_each_in(const Box& box, Use&& use) const {
        if (order_.empty()) return;
        const Vec3i low = cell_of(box.min, -reach_), high = cell_of(box.max, reach_);
        for (int z = low.z; z <= high.z; ++z)
            for (int y = low.y; y <= high.y; ++y) {
                // cells along x lie one after the other, and so do their particles
                const std::uint32_t end = start_[index({high.x, y, z}) + 1];
                for (std::uint32_t k = start_[index({low.x, y, z})]; k < end; ++k) use(order_[k]);
            }
    }

    /// How many particles were sorted in.
    std::size_t size() const { return order_.size(); }

private:
    void lay_out(const Box& box, double most_cells);
    std::size_t cell_count() const { return std::size_t(count_.x) * std::size_t(count_.y) * std::size_t(count_.z); }
    /// The cell of a point, moved by `shift` in every direction, or the one at the rim that is nearest.
    Vec3i cell_of(const Vec3d& point, double shift) const;
    bool holds(const Vec3d& point) const;
    std::size_t index(const Vec3i& cell) const {
        return (std::size_t(cell.z) * std::size_t(count_.y) + std::size_t(cell.y)) * std::size_t(count_.x) +
               std::size_t(cell.x);
    }
    std::vector<bool> cells_near(const std::vector<Box>& regions) const;

    const std::vector<Vec3d>& position_;
    double reach_;
    bool two_d_;
    Box box_;
    double cells_a_metre_ = 0;
    Vec3i count_{0, 0, 0};
    std::vector<std::uint32_t> start_; ///< of each cell in `order_`, and the end of the last one
    std::vector<std::uint32_t> order_; ///< particles by cell
};

/// The smallest box around some points; of none, an empty one that nothing lies in.
Box box_around(const std::vector<Vec3d>& points);

/// A box at each point.
std::vector<Box> boxes_at(const std::vector<Vec3d>& points);

} // namespace sluice

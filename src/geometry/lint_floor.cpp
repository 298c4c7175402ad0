// SPDX-License-Identifier: Apache-2.0
#include "geometry/lint_floor.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sluice {

namespace {

constexpr double nothing = std::numeric_limits<double>::max();
constexpr std::size_t most_columns = 50'000'000;

/// Columns of width dp along an axis, over the fluid: how low fluid and walls reach in each. Down is where gravity
/// points.
class FloorColumns {
public:
    FloorColumns(const ParticleSet& set, int axis, bool down_is_plus)
        : axis_(axis), sign_(down_is_plus ? -1 : 1), dp_(set.dp), across_{(axis + 1) % 3, (axis + 2) % 3} {
        Vec3d low{nothing, nothing, nothing}, high{-nothing, -nothing, -nothing};
        for (const ParticleBlock& block : set.blocks)
            if (block.type == ParticleType::fluid)
                for (int k = 0; k < 3; ++k) {
                    low[k] = std::min(low[k], block.min[k]);
                    high[k] = std::max(high[k], block.max[k]);
                }
        low_ = low;
        for (int k = 0; k < 2; ++k)
            count_[k] = static_cast<std::int64_t>(std::llround((high[across_[k]] - low[across_[k]]) / dp_)) + 1;
    }
    bool fit() const { return double(count_[0]) * double(count_[1]) <= double(most_columns); }
    void fill(const ParticleSet& set) {
        const auto columns = static_cast<std::size_t>(count_[0] * count_[1]);
        fluid_.assign(columns, nothing);
        wall_.assign(columns, nothing);
        for (std::uint32_t n = 0; n < set.size(); ++n) {
            const Vec3d& p = set.position[n];
            if (const std::int64_t column = column_of(p); column >= 0) {
                double& lowest = (n < set.boundary_count ? wall_ : fluid_)[static_cast<std::size_t>(column)];
                lowest = std::min(lowest, sign_ * p[axis_]);
            }
        }
    }
    std::size_t with_fluid() const {
        return static_cast<std::size_t>(
            std::count_if(fluid_.begin(), fluid_.end(), [](double z) { return z < nothing; }));
    }
    /// Columns with fluid and no wall below it.
    std::size_t open() const {
        std::size_t open = 0;
        for (std::size_t k = 0; k < fluid_.size(); ++k) open += fluid_[k] < nothing && !(wall_[k] < fluid_[k]);
        return open;
    }

private:
    std::int64_t column_of(const Vec3d& p) const {
        std::int64_t at[2];
        for (int k = 0; k < 2; ++k) {
            at[k] = static_cast<std::int64_t>(std::llround((p[across_[k]] - low_[across_[k]]) / dp_));
            if (at[k] < 0 || at[k] >= count_[k]) return -1;
        }
        return at[0] + count_[0] * at[1];
    }

    int axis_;
    double sign_, dp_;
    int across_[2];
    std::int64_t count_[2] = {1, 1};
    Vec3d low_;
    std::vector<double> fluid_, wall_;
};

} // namespace

void check_floor(const Case& the_case, const ParticleSet& set, std::vector<Diagnostic>& diagnostics) {
    const Vec3d g = the_case.constants.gravity;
    int axis = 2;
    for (int k = 0; k < 2; ++k)
        if (std::abs(g[k]) > std::abs(g[axis])) axis = k;
    if (g[axis] == 0 || the_case.parameters.periodic[axis] || set.boundary_count == set.size()) return;
    FloorColumns columns(set, axis, g[axis] > 0);
    if (!columns.fit()) return;
    columns.fill(set);
    const std::size_t all = columns.with_fluid(), open = columns.open();
    constexpr std::size_t share = 5; // lattices that do not match leave a column open here and there
    if (open * share <= all) return;
    diagnostics.push_back(
        {Diagnostic::Level::warning, the_case.definition.where,
         fmt::format(
             "nothing is below the fluid in {} of its {} columns along {}: it falls out of the case there; draw a "
             "floor (boxfill with bottom, for a box)",
             open, all, "xyz"[axis])});
}

} // namespace sluice

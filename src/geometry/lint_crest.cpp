// SPDX-License-Identifier: Apache-2.0
#include "geometry/lint_crest.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace sluice {

namespace {

constexpr double no_height = -std::numeric_limits<double>::max();

/// A crest with water at it.
struct Crest {
    double place; ///< of its middle, m, along the axis across gravity
    double head;  ///< rows of particles of the highest column of water beside or over it that are above it
};

/// Columns of width dp across gravity: how high the ground and the water reach in each, in spacings.
class WaterOverGround {
public:
    /// `up`, `across`: axes; `sign`: 1 if up is plus.
    WaterOverGround(const ParticleSet& set, int up, int across, double sign) : dp_(set.dp) {
        double low = -no_height, high = no_height;
        for (const ParticleBlock& block : set.blocks) {
            low = std::min(low, block.min[across]);
            high = std::max(high, block.max[across]);
        }
        low_ = low;
        const auto count = static_cast<std::size_t>(std::llround((high - low) / dp_)) + 1;
        std::vector<std::vector<double>> walls(count);
        water_.assign(count, no_height);
        for (const ParticleBlock& block : set.blocks)
            for (std::uint32_t n = block.begin; n < block.begin + block.count; ++n) {
                const auto column = static_cast<std::size_t>(std::llround((set.position[n][across] - low) / dp_));
                const double height = sign * set.position[n][up] / dp_;
                if (block.type == ParticleType::fixed)
                    walls[column].push_back(height);
                else if (block.is_fluid())
                    water_[column] = std::max(water_[column], height);
            }
        for (std::vector<double>& heights : walls) ground_.push_back(top_of_ground(heights));
    }

    /// That with the least water.
    std::optional<Crest> shallowest() const {
        std::optional<Crest> found;
        for (std::size_t begin = 1; begin + 1 < ground_.size();) {
            std::size_t end = begin + 1; // one past those as high
            while (end < ground_.size() && std::abs(ground_[end] - ground_[begin]) < 0.5) ++end;
            const double top = ground_[begin];
            if (end < ground_.size() && ground_[begin - 1] < top && ground_[end] < top) {
                const double level = *std::max_element(water_.begin() + std::ptrdiff_t(begin) - 1,
                                                       water_.begin() + std::ptrdiff_t(end) + 1);
                const double head = level - top;
                if (head > 0.5 && (!found || head < found->head))
                    found = Crest{low_ + 0.5 * double(begin + end - 1) * dp_, head};
            }
            begin = end;
        }
        return found;
    }

private:
    /// Of walls without a gap from the lowest one on: what hangs above is no ground.
    static double top_of_ground(std::vector<double>& heights) {
        if (heights.empty()) return no_height;
        std::ranges::sort(heights);
        std::size_t n = 1;
        while (n < heights.size() && heights[n] - heights[n - 1] < 1.5) ++n;
        return heights[n - 1];
    }

    double dp_, low_ = 0;
    std::vector<double> ground_, water_;
};

} // namespace

void check_crests(const Case& the_case, const ParticleSet& set, double h, std::vector<Diagnostic>& diagnostics) {
    const Vec3d g = the_case.constants.gravity;
    if (!set.two_d || (g.x == 0 && g.z == 0)) return;
    const int up = std::abs(g.x) > std::abs(g.z) ? 0 : 2;
    const std::optional<Crest> crest = WaterOverGround(set, up, 2 - up, g[up] > 0 ? -1 : 1).shallowest();
    if (!crest || crest->head * set.dp >= (1 - 1e-6) * least_head * h) return;
    diagnostics.push_back(
        {Diagnostic::Level::warning, the_case.definition.where,
         fmt::format("{:.0f} particles of water, {:.1f} smoothing lengths, stand over the crest at {} = {:.4g} m: with "
                     "less than {} more flows over it than should (a weir: 9 % at 2.7, 32 % at 2.4); take a dp of "
                     "{:.2g} m, or a smaller coefh if it is larger than 1.4",
                     crest->head, crest->head * set.dp / h, "xyz"[2 - up], crest -> place, least_head,
                     crest -> head* set.dp* set.dp / (least_head * h))});
}

} // namespace sluice

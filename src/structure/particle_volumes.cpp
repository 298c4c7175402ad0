// SPDX-License-Identifier: Apache-2.0
#include "structure/particle_volumes.h"

#include <algorithm>
#include <cmath>

namespace sluice {

void LatticePlaces::offer(const Vec3d& way, std::uint32_t i) {
    const Vec3i step{static_cast<int>(std::lround(way.x)), static_cast<int>(std::lround(way.y)),
                     static_cast<int>(std::lround(way.z))};
    if (std::abs(step.x) > 1 || std::abs(step.y) > 1 || std::abs(step.z) > 1) return;
    const Vec3d rest = way - vec_cast<double>(step);
    const double off = dot(rest, rest);
    const std::size_t index = index_of(step);
    if (off >= 0.25 || (at_[index] != none && off_[index] <= off)) return;
    at_[index] = i;
    off_[index] = off;
}

std::uint32_t LatticePlaces::along(int axis, int step) const {
    Vec3i steps{};
    steps[axis] = step;
    return at(steps);
}

namespace {

/// The particle nearest to `a` in its row that has one on either side; none: the row is too short.
std::uint32_t centre_near(std::uint32_t a, const std::vector<LatticePlaces>& places, int axis) {
    for (const int step : {0, 1, -1}) {
        const std::uint32_t c = step == 0 ? a : places[a].along(axis, step);
        if (c == LatticePlaces::none) continue;
        if (places[c].along(axis, -1) != LatticePlaces::none && places[c].along(axis, 1) != LatticePlaces::none)
            return c;
    }
    return LatticePlaces::none;
}

} // namespace

std::vector<double> integration_weights(const std::vector<double>& shares, const std::vector<LatticePlaces>& places,
                                        bool two_d) {
    std::vector<double> weights = shares;
    for (int axis = 0; axis < 3; ++axis) {
        if (two_d && axis == 1) continue;
        const std::vector<double> before = weights;
        for (std::uint32_t a = 0; a < weights.size(); ++a) {
            const std::uint32_t centre = centre_near(a, places, axis);
            if (centre == LatticePlaces::none) continue;
            const double part = before[a] / 12;
            weights[places[centre].along(axis, -1)] -= part;
            weights[centre] += 2 * part;
            weights[places[centre].along(axis, 1)] -= part;
        }
    }
    for (std::size_t a = 0; a < weights.size(); ++a) weights[a] = std::max(weights[a], 0.25 * shares[a]);
    return weights;
}

} // namespace sluice

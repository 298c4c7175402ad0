// SPDX-License-Identifier: Apache-2.0
#include "io/report/shown_walls.h"

#include <algorithm>
#include <limits>

namespace sluice {

namespace {

/// Place of the first particle of a frame whose id is not lower.
std::size_t row_of(const Frame& frame, std::uint32_t id) {
    return static_cast<std::size_t>(std::ranges::lower_bound(frame.id, id) - frame.id.begin());
}

bool holds_at(const Frame& frame, std::size_t row, std::uint32_t id) {
    return row < frame.size() && frame.id[row] == id;
}

} // namespace

ShownWalls::ShownWalls(const Frame& first, const ParticleLayout& layout, const std::vector<std::uint8_t>& sides,
                       std::uint32_t stride, bool moving) {
    std::vector<std::size_t> rows;
    for (const ParticleGroup& group : layout.groups.all()) {
        if (group.is_fluid() || (group.type != ParticleType::fixed) != moving) continue;
        for (std::size_t i = row_of(first, group.begin); i < row_of(first, group.begin + group.count); ++i)
            if (is_chosen(first.id[i], stride)) rows.push_back(i);
    }
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return sides[a] < sides[b]; });
    for (const std::size_t i : rows) {
        if (ids_.empty() || sides[i] != ranges_.back()[0])
            ranges_.push_back({sides[i], static_cast<int>(ids_.size()), 1});
        else
            ++ranges_.back()[2];
        ids_.push_back(first.id[i]);
        last_.push_back(first.position[i]);
    }
}

const std::vector<Vec3d>& ShownWalls::positions(const Frame& frame) {
    for (std::size_t k = 0; k < ids_.size(); ++k)
        if (const std::size_t i = row_of(frame, ids_[k]); holds_at(frame, i, ids_[k])) last_[k] = frame.position[i];
    return last_;
}

std::vector<float> ShownWalls::pressures(const Frame& frame) const {
    std::vector<float> values;
    for (const std::uint32_t id : ids_) {
        const std::size_t i = row_of(frame, id);
        const float p = frame.wall_pressure.empty() || !holds_at(frame, i, id) ? 0 : frame.wall_pressure[i];
        values.push_back(p != 0 ? p : std::numeric_limits<float>::quiet_NaN()); // 0: no fluid is near
    }
    return values;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "cpu/passes/zone_cells.h"

#include <algorithm>
#include <cmath>

namespace sluice::cpu {

bool may_hold_any(const ZonesView& open, const Vec3d& p, double distance) {
    return std::any_of(open.zones, open.zones + open.zone_count,
                       [&](const OpenZone& zone) { return may_hold(zone, p, distance); });
}

ZoneCells::ZoneCells(const ZonesView& open, const Space& space) {
    const double distance =
        0.5 * std::sqrt(dot(space.cell, space.cell)) + std::min({space.cell.x, space.cell.y, space.cell.z});
    const auto may_hold_at = [&](const Vec3d& p) { return may_hold_any(open, p, distance); };
    const Rows rows = space.whole_rows();
    std::uint32_t key = 0;
    for (int z = 0; z < rows.count_z; ++z)
        for (int y = 0; y < rows.count_y; ++y)
            for (int x = 0; x < rows.count_x; ++x, ++key) {
                const int along[3] = {x, y, z};
                Vec3d middle;
                for (std::size_t k = 0; k < 3; ++k) {
                    const int axis = space.axes[k];
                    middle[axis] = (along[k] - space.layers[axis] + 0.5) * space.cell[axis];
                }
                // images are where their particles are
                if (!may_hold_at(middle) &&
                    !(space.period.any() && may_hold_at(space.period.wrapped(middle, space.size))))
                    continue;
                if (x > 0 && !keys_.empty() && keys_.back().end == key)
                    ++keys_.back().end;
                else
                    keys_.push_back({key, key + 1});
            }
}

std::vector<IndexRange> ZoneCells::particles(const CellList& cells, std::uint32_t first, const Space& space) const {
    std::vector<IndexRange> ranges;
    const std::array<int, 3>& axes = space.axes;
    const CellBox box = space.walked_box();
    for (const IndexRange& keys : keys_) {
        const Vec3i cell = space.cell_with(keys.begin);
        const auto is_walked = [&](int axis) { return cell[axis] >= box.first[axis] && cell[axis] < box.end[axis]; };
        if (!is_walked(axes[1]) || !is_walked(axes[2])) continue;
        const int along = axes[0], length = static_cast<int>(keys.count());
        const int from = std::max(cell[along], box.first[along]) - cell[along],
                  to = std::min(cell[along] + length, box.end[along]) - cell[along];
        if (from >= to) continue;
        const std::uint32_t* const in_row =
            cells.begin() + space.walked_index(keys.begin + static_cast<std::uint32_t>(from));
        const std::uint32_t begin = in_row[0] - first, end = in_row[to - from] - first;
        if (begin < end) ranges.push_back({begin, end});
    }
    return ranges;
}

std::vector<IndexRange> own_parts(const std::vector<IndexRange>& ranges, const std::vector<OwnRun>& own) {
    std::vector<IndexRange> parts;
    auto run = own.begin();
    for (const IndexRange& range : ranges) {
        while (run != own.end() && run->end <= range.begin) ++run;
        for (auto other = run; other != own.end() && other->begin < range.end; ++other)
            parts.push_back({std::max(range.begin, other->begin), std::min(range.end, other->end)});
    }
    return parts;
}

} // namespace sluice::cpu

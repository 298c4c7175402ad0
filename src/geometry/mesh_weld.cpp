// SPDX-License-Identifier: Apache-2.0
#include "core/extent.h"
#include "geometry/mesh_file.h"
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sluice {

namespace {

/// Vertices nearer than this part of the longest side of the mesh are one.
constexpr double weld_part = 1e-6;

/// Cells so wide that few points are near to a side of theirs, in weld distances.
constexpr double cell_width = 64;

/// The first of all points within a distance of a place, by cells.
class Welder {
public:
    Welder(const Vec3d& origin, double distance) : origin_(origin), distance_(distance) {}

    /// The place of the point that this one is welded to: its own if it is the first one there.
    Vec3d place_of(const Vec3d& p) {
        const Vec3d low = cell_at(p, -distance_), high = cell_at(p, distance_);
        for (double i = low.x; i <= high.x; ++i)
            for (double j = low.y; j <= high.y; ++j)
                for (double k = low.z; k <= high.z; ++k)
                    if (const auto cell = firsts_.find(key(i, j, k)); cell != firsts_.end())
                        for (const Vec3d& first : cell->second)
                            if (norm(first - p) <= distance_) return first;
        const Vec3d own = cell_at(p, 0);
        firsts_[key(own.x, own.y, own.z)].push_back(p);
        return p;
    }

private:
    /// Of the place `off` from a point along every axis.
    Vec3d cell_at(const Vec3d& p, double off) const {
        Vec3d cell;
        for (int axis = 0; axis < 3; ++axis)
            cell[axis] = std::floor((p[axis] + off - origin_[axis]) / (cell_width * distance_)) + 1;
        return cell;
    }
    /// Cells are counted from 0 and are fewer than 2^21 along an axis.
    static std::uint64_t key(double i, double j, double k) {
        return std::uint64_t(i) | std::uint64_t(j) << 21 | std::uint64_t(k) << 42;
    }

    Vec3d origin_;
    double distance_;
    std::unordered_map<std::uint64_t, std::vector<Vec3d>> firsts_;
};

} // namespace

void weld_vertices(Mesh& mesh) {
    Extent extent;
    for (const Vec3d& p : mesh.points) extent.add(p);
    const Vec3d size = extent.max - extent.min;
    const double distance = weld_part * std::max({size.x, size.y, size.z});
    if (!(distance > 0) || !std::isfinite(distance)) return;
    Welder welder(extent.min, distance);
    for (Vec3d& p : mesh.points) p = welder.place_of(p);
}

} // namespace sluice

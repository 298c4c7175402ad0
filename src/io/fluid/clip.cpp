// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/clip.h"

#include <algorithm>
#include <map>
#include <utility>

namespace sluice {
namespace {

/// The points of the part that stays, each once.
class Clipper {
public:
    Clipper(const std::vector<Vec3d>& points, const HalfSpace& space) : points_(points), space_(space) {}

    /// How far a point lies outside, m; negative inside.
    double outside(int point) const {
        const double along = at(point)[space_.axis] - space_.at;
        return space_.below ? along : -along;
    }
    bool keeps(int point) const { return outside(point) <= 0; }
    int kept(int point) { return place({point, point}, at(point)); }
    /// Where the line between two points on different sides meets the plane.
    int crossing(int a, int b) {
        if (a > b) std::swap(a, b); // the same point for the neighbour across the line
        for (const int end : {a, b})
            if (outside(end) == 0) return kept(end);
        const double part = outside(a) / (outside(a) - outside(b));
        Vec3d p = at(a) + part * (at(b) - at(a));
        p[space_.axis] = space_.at;
        return place({a, b}, p);
    }
    std::vector<Vec3d> take_points() { return std::move(new_points_); }

private:
    const Vec3d& at(int point) const { return points_[static_cast<std::size_t>(point)]; }
    int place(const std::pair<int, int>& key, const Vec3d& p) {
        const auto [found, is_new] = places_.try_emplace(key, static_cast<int>(new_points_.size()));
        if (is_new) new_points_.push_back(p);
        return found->second;
    }

    const std::vector<Vec3d>& points_;
    HalfSpace space_;
    std::vector<Vec3d> new_points_;
    std::map<std::pair<int, int>, int> places_; ///< of a point (with itself) or a crossing, among the new points
};

} // namespace

TriangleMesh clipped(const TriangleMesh& mesh, const HalfSpace& space) {
    Clipper clipper(mesh.points, space);
    TriangleMesh part;
    for (const Vec3i& t : mesh.triangles) {
        std::vector<int> corners; // of what is left of the triangle, in order
        for (int k = 0; k < 3; ++k) {
            const int from = t[k], to = t[(k + 1) % 3];
            const auto add = [&](int corner) {
                if (std::find(corners.begin(), corners.end(), corner) == corners.end()) corners.push_back(corner);
            };
            if (clipper.keeps(from)) add(clipper.kept(from));
            if (clipper.keeps(from) != clipper.keeps(to)) add(clipper.crossing(from, to));
        }
        for (std::size_t k = 2; k < corners.size(); ++k)
            part.triangles.push_back({corners[0], corners[k - 1], corners[k]});
    }
    part.points = clipper.take_points();
    return part;
}

LineMesh clipped(const LineMesh& mesh, const HalfSpace& space) {
    Clipper clipper(mesh.points, space);
    LineMesh part;
    for (const auto& [a, b] : mesh.lines) {
        if (!clipper.keeps(a) && !clipper.keeps(b)) continue;
        const int from = clipper.keeps(a) ? clipper.kept(a) : clipper.crossing(a, b);
        const int to = clipper.keeps(b) ? clipper.kept(b) : clipper.crossing(a, b);
        if (from != to) part.lines.push_back({from, to});
    }
    part.points = clipper.take_points();
    return part;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/clip.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sluice {
namespace {

/// The points of the part that stays, each once.
class Clipper {
public:
    Clipper(const std::vector<Vec3d>& points, const std::vector<double>& outside)
        : points_(points), outside_(outside) {}

    bool keeps(int point) const { return outside(point) <= 0; }
    int kept(int point) { return place({point, point}, at(point)); }
    /// Where the value is zero on the line between two points of which one stays.
    int crossing(int a, int b) {
        if (a > b) std::swap(a, b); // the same point for the neighbour across the line
        for (const int end : {a, b})
            if (outside(end) == 0) return kept(end);
        const double part = outside(a) / (outside(a) - outside(b));
        return place({a, b}, at(a) + part * (at(b) - at(a)));
    }
    std::vector<Vec3d> take_points() { return std::move(new_points_); }

private:
    double outside(int point) const { return outside_[static_cast<std::size_t>(point)]; }
    const Vec3d& at(int point) const { return points_[static_cast<std::size_t>(point)]; }
    int place(const std::pair<int, int>& key, const Vec3d& p) {
        const auto [found, is_new] = places_.try_emplace(key, static_cast<int>(new_points_.size()));
        if (is_new) new_points_.push_back(p);
        return found->second;
    }

    const std::vector<Vec3d>& points_;
    const std::vector<double>& outside_;
    std::vector<Vec3d> new_points_;
    std::map<std::pair<int, int>, int> places_; ///< of a point (with itself) or a crossing, among the new points
};

/// The part in a half-space. What rounding leaves beyond the plane is put on it.
template <class Mesh>
Mesh in_half_space(const Mesh& mesh, const HalfSpace& space) {
    std::vector<double> outside;
    outside.reserve(mesh.points.size());
    for (const Vec3d& p : mesh.points)
        outside.push_back(space.below ? p[space.axis] - space.at : space.at - p[space.axis]);
    Mesh part = clipped_by(mesh, outside);
    double reach = 0; // of the mesh, to which rounding is small
    for (const Vec3d& p : mesh.points) reach = std::max(reach, std::abs(p[space.axis]));
    for (Vec3d& p : part.points)
        if (std::abs(p[space.axis] - space.at) <= 1e-14 * reach) p[space.axis] = space.at;
    return part;
}

} // namespace

TriangleMesh clipped(const TriangleMesh& mesh, const HalfSpace& space) { return in_half_space(mesh, space); }

LineMesh clipped(const LineMesh& mesh, const HalfSpace& space) { return in_half_space(mesh, space); }

TriangleMesh clipped_by(const TriangleMesh& mesh, const std::vector<double>& outside) {
    Clipper clipper(mesh.points, outside);
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

LineMesh clipped_by(const LineMesh& mesh, const std::vector<double>& outside) {
    Clipper clipper(mesh.points, outside);
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

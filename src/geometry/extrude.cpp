// SPDX-License-Identifier: Apache-2.0
#include "geometry/extrude.h"

#include <algorithm>
#include <cmath>

namespace sluice {

namespace {

Vec3d unit_or_zero(const Vec3d& v) {
    const double length = norm(v);
    return length > 0 ? (1 / length) * v : Vec3d{};
}

} // namespace

Corner nearest_node(const Lattice& lattice, const Vec3d& p) {
    return {lattice.nearest(0, p.x), lattice.nearest(1, p.y), lattice.nearest(2, p.z)};
}

std::vector<Vec3d> offset_polyline(const std::vector<Vec3d>& points, const Vec3d& sweep, bool closed, double d) {
    const std::size_t n = points.size();
    const std::size_t segments = n - (closed ? 0 : 1);
    const Vec3d across = unit_or_zero(sweep);
    std::vector<Vec3d> normals;
    for (std::size_t s = 0; s < segments; ++s)
        normals.push_back(unit_or_zero(cross(points[(s + 1) % n] - points[s], across)));
    std::vector<Vec3d> out;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3d before = i > 0 || closed ? normals[(i + segments - 1) % segments] : normals.front();
        const Vec3d after = i < segments ? normals[i] : normals.back();
        // A hairpin would put the corner at infinity.
        const double denominator = std::max(1 + dot(before, after), 1e-3);
        out.push_back(points[i] + (d / denominator) * (before + after));
    }
    return out;
}

void draw_swept(Canvas& canvas, const std::vector<Vec3d>& points, const Vec3d& sweep, bool closed, bool wire) {
    const std::size_t segments = points.size() - (closed ? 0 : 1);
    for (std::size_t s = 0; s < segments; ++s) {
        const Vec3d &a = points[s], &b = points[(s + 1) % points.size()];
        const Corner corners[4] = {nearest_node(canvas.lattice(), a), nearest_node(canvas.lattice(), b),
                                   nearest_node(canvas.lattice(), b + sweep),
                                   nearest_node(canvas.lattice(), a + sweep)};
        if (wire) {
            for (int i = 0; i < 4; ++i) draw_segment(canvas, corners[i], corners[(i + 1) % 4]);
            continue;
        }
        draw_triangle(canvas, {corners[0], corners[1], corners[2]});
        draw_triangle(canvas, {corners[0], corners[2], corners[3]});
    }
}

} // namespace sluice

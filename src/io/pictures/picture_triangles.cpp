// SPDX-License-Identifier: Apache-2.0
#include "io/pictures/picture_canvas.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sluice {

namespace {

/// A corner on the canvas, with what is interpolated between corners.
struct MeshCorner {
    Vec3d place; ///< pixels
    std::array<float, 3> rgb;
};

MeshCorner corner_of(const PixelCanvas& canvas, const Projection& projection, const ColouredMesh& mesh,
                     std::size_t point) {
    double light = 1;
    if (!mesh.normals.empty()) {
        Vec3d n = projection.turned(vec_cast<double>(mesh.normals[point]));
        if (n.z < 0) n = -1.0 * n; // a surface that ends is seen from behind, too
        light = 0.62 + 0.38 * std::max(0.0, -0.40 * n.x + 0.55 * n.y + 0.73 * n.z);
    }
    const std::uint32_t colour = mesh.colour[point];
    const auto lit = [&](int shift) { return static_cast<float>(light * (colour >> shift & 255)); };
    return {canvas.place(projection(mesh.points[point])), {lit(16), lit(8), lit(0)}};
}

/// Twice the signed area of the triangle of two points and a place, in the plane of the page.
double area(const Vec3d& a, const Vec3d& b, double x, double y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

void draw_triangle_of(PixelCanvas& canvas, const std::array<MeshCorner, 3>& corners) {
    const Vec3d &a = corners[0].place, &b = corners[1].place, &c = corners[2].place;
    const double whole = area(a, b, c.x, c.y);
    constexpr double farthest = 1e6; // a number of a pixel
    for (const MeshCorner& corner : corners)
        if (!(std::abs(corner.place.x) < farthest && std::abs(corner.place.y) < farthest)) return;
    if (whole == 0) return;
    // Pixels whose middles lie inside or on an edge.
    const int left = std::max(static_cast<int>(std::ceil(std::min({a.x, b.x, c.x}) - 0.5)), 0);
    const int right = std::min(static_cast<int>(std::floor(std::max({a.x, b.x, c.x}) - 0.5)), canvas.width - 1);
    const int top = std::max(static_cast<int>(std::ceil(std::min({a.y, b.y, c.y}) - 0.5)), 0);
    const int bottom = std::min(static_cast<int>(std::floor(std::max({a.y, b.y, c.y}) - 0.5)), canvas.height - 1);
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) {
            const double of_a = area(b, c, x + 0.5, y + 0.5) / whole, of_b = area(c, a, x + 0.5, y + 0.5) / whole,
                         of_c = 1 - of_a - of_b;
            if (of_a < 0 || of_b < 0 || of_c < 0) continue;
            const std::size_t at = canvas.index(x, y);
            if (!canvas.depth.empty()) {
                const auto depth = static_cast<float>(of_a * a.z + of_b * b.z + of_c * c.z);
                if (depth <= canvas.depth[at]) continue;
                canvas.depth[at] = depth;
            }
            Argb pixel = opaque;
            for (std::size_t k = 0; k < 3; ++k) {
                const double value = of_a * static_cast<double>(corners[0].rgb[k]) +
                                     of_b * static_cast<double>(corners[1].rgb[k]) +
                                     of_c * static_cast<double>(corners[2].rgb[k]);
                pixel |= static_cast<Argb>(std::clamp(value + 0.5, 0.0, 255.0)) << (16 - 8 * k);
            }
            canvas.argb[at] = pixel;
        }
}

} // namespace

void add_triangles(PixelCanvas& canvas, const Projection& projection, const ColouredMesh& mesh) {
    std::vector<MeshCorner> corners;
    corners.reserve(mesh.points.size());
    for (std::size_t k = 0; k < mesh.points.size(); ++k) corners.push_back(corner_of(canvas, projection, mesh, k));
    const auto at = [&](int k) -> const MeshCorner& { return corners[static_cast<std::size_t>(k)]; };
    for (const Vec3i& t : mesh.triangles) draw_triangle_of(canvas, {at(t.x), at(t.y), at(t.z)});
}

} // namespace sluice

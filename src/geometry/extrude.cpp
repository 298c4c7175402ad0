// SPDX-License-Identifier: Apache-2.0
#include "geometry/extrude.h"

#include "core/error.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

Vec3d unit(const Vec3d& v) {
    const double length = std::sqrt(dot(v, v));
    return length > 0 ? (1 / length) * v : Vec3d{};
}

/// Whole number of steps of about dp along a length.
int steps(double length, double dp) { return static_cast<int>(std::clamp(std::floor(length / dp + 0.5), 1.0, 1e9)); }

double distance(const Vec3d& a, const Vec3d& b) { return std::sqrt(dot(b - a, b - a)); }

/// Throws InputError if a shape would need so many places off the lattice: they are gone through one by one.
void require_places(double count) {
    constexpr double most = 2e8;
    if (count > most)
        throw InputError(fmt::format("a shape off the lattice has {:.2g} places for particles, at most {:.0e} are gone "
                                     "through; use a larger dp or a smaller shape",
                                     count, most));
}

/// The points dp apart along a polyline; corners once.
std::vector<Vec3d> places_along(const std::vector<Vec3d>& points, bool closed, double dp) {
    std::vector<Vec3d> out;
    const std::size_t segments = points.size() - (closed ? 0 : 1);
    double count = 0;
    for (std::size_t s = 0; s < segments; ++s) count += steps(distance(points[s], points[(s + 1) % points.size()]), dp);
    require_places(count);
    for (std::size_t s = 0; s < segments; ++s) {
        const Vec3d &a = points[s], &b = points[(s + 1) % points.size()];
        const int n = steps(distance(a, b), dp);
        for (int i = 0; i < n; ++i) out.push_back(a + (double(i) / n) * (b - a));
    }
    if (!closed) out.push_back(points.back());
    return out;
}

} // namespace

Corner nearest_node(const Lattice& lattice, const Vec3d& p) {
    return {lattice.nearest(0, p.x), lattice.nearest(1, p.y), lattice.nearest(2, p.z)};
}

std::vector<Vec3d> offset_polyline(const std::vector<Vec3d>& points, const Vec3d& sweep, bool closed, double d) {
    const std::size_t n = points.size();
    const std::size_t segments = n - (closed ? 0 : 1);
    const Vec3d across = unit(sweep);
    std::vector<Vec3d> normals;
    for (std::size_t s = 0; s < segments; ++s) normals.push_back(unit(cross(points[(s + 1) % n] - points[s], across)));
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

void draw_swept_freely(Canvas& canvas, const std::vector<Vec3d>& points, const Vec3d& sweep, bool closed) {
    const double dp = canvas.lattice().dp();
    const auto places = places_along(points, closed, dp);
    if (canvas.lattice().two_d()) {
        // Only the cut with the plane; the sweep goes through it or nothing is drawn.
        const double y = canvas.lattice().coordinate(1, 0);
        for (Vec3d p : places) {
            const double low = std::min(p.y, p.y + sweep.y), high = std::max(p.y, p.y + sweep.y);
            if (y < low - dp / 2 || y > high + dp / 2) continue;
            p.y = y;
            canvas.plot_free(p);
        }
        return;
    }
    const int n = steps(std::sqrt(dot(sweep, sweep)), dp);
    require_places((n + 1.0) * double(places.size()));
    for (int i = 0; i <= n; ++i)
        for (const Vec3d& p : places) canvas.plot_free(p + (double(i) / n) * sweep);
}

void draw_line_freely(Canvas& canvas, const std::vector<Vec3d>& points) {
    for (const Vec3d& p : places_along(points, false, canvas.lattice().dp())) canvas.plot_free(p);
}

void draw_quadrilateral_freely(Canvas& canvas, const std::array<Vec3d, 4>& q) {
    const double dp = canvas.lattice().dp();
    const int n = std::max(steps(distance(q[0], q[1]), dp), steps(distance(q[3], q[2]), dp));
    const int m = std::max(steps(distance(q[0], q[3]), dp), steps(distance(q[1], q[2]), dp));
    require_places((n + 1.0) * (m + 1.0));
    for (int j = 0; j <= m; ++j)
        for (int i = 0; i <= n; ++i) {
            const double s = double(i) / n, t = double(j) / m;
            canvas.plot_free(((1 - s) * (1 - t)) * q[0] + (s * (1 - t)) * q[1] + (s * t) * q[2] + ((1 - s) * t) * q[3]);
        }
}

} // namespace sluice

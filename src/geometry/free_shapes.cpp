// SPDX-License-Identifier: Apache-2.0
#include "geometry/free_shapes.h"

#include "core/error.h"
#include "core/extent.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

namespace sluice {

namespace {

int whole(double steps) { return static_cast<int>(std::clamp(steps, 0.0, 1e9)); }

/// Throws InputError if a shape would need so many places: they are gone through one by one.
void require_places(double count) {
    constexpr double most = 2e8;
    if (count > most)
        throw InputError(fmt::format("a shape off the lattice has {:.2g} places for particles, at most {:.0e} are gone "
                                     "through; use a larger dp or a smaller shape",
                                     count, most));
}

/// Steps of a line: the smaller number halfway between two.
int nearest_steps(double size, double dp) { return whole(std::ceil(size / dp - 0.5)); }
/// Steps of a side, of a circle, of a radius.
int enough_steps(double size, double dp) {
    const int n = whole(size / dp);
    return std::max(n * dp < size ? n + 1 : n, 1);
}

void draw_line(Canvas& canvas, const Vec3d& a, const Vec3d& b, double longer = 0) {
    const int n = nearest_steps(norm(b - a) + longer, canvas.lattice().dp());
    if (n == 0) return;
    require_places(n);
    for (int i = 0; i <= n; ++i) canvas.plot_free(a + (double(i) / n) * (b - a));
}

/// Narrower circles of latitude have no particles, in units of dp.
constexpr double narrowest_ring = 0.7;

bool is_narrow(const Canvas& canvas, double radius) { return radius < Canvas::free_reach * canvas.lattice().dp(); }

Vec3d in_plane(const Canvas& canvas, Vec3d p) {
    p.y = canvas.lattice().coordinate(1, 0);
    return p;
}

bool crosses_plane(const Canvas& canvas, double y1, double y2) {
    const double y = canvas.lattice().coordinate(1, 0), slack = canvas.lattice().dp() / 2;
    return y >= std::min(y1, y2) - slack && y <= std::max(y1, y2) + slack;
}

/// The cut of a swept line with the plane of a 2-D case. The two triangles of a swept line each leave half of it; the
/// halves are put together again unless the line is upright.
void draw_cut(Canvas& canvas, const Vec3d& from, const Vec3d& to) {
    const Vec3d a = in_plane(canvas, from), b = in_plane(canvas, to);
    const double hair = 1e-9 * canvas.lattice().dp(); // the halves make a line that is a hair longer
    if (std::abs(b.x - a.x) > hair) return draw_line(canvas, a, b, hair);
    const Vec3d middle = 0.5 * (a + b);
    draw_line(canvas, b, middle);
    draw_line(canvas, a, middle);
}

/// A circle with its first point at center + radius·e1.
void draw_ring(Canvas& canvas, const Vec3d& center, double radius, const Vec3d& e1, const Vec3d& e2) {
    const int n = enough_steps(2 * std::numbers::pi * radius, canvas.lattice().dp());
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * std::numbers::pi * i / n;
        canvas.plot_free(center + (radius * std::cos(angle)) * e1 + (radius * std::sin(angle)) * e2);
    }
}

/// The centre, then rings from the inside out.
void draw_disc(Canvas& canvas, const Vec3d& center, double radius, const Vec3d& e1, const Vec3d& e2) {
    canvas.plot_free(center);
    const int n = enough_steps(radius, canvas.lattice().dp());
    require_places(std::numbers::pi * n * double(n));
    for (int k = 1; k <= n; ++k) draw_ring(canvas, center, radius * k / n, e1, e2);
}

/// Rings of equal latitude from the pole above to the last one before the pole below, without those too narrow to go
/// round in.
void draw_sphere_surface(Canvas& canvas, const Vec3d& center, double radius) {
    if (is_narrow(canvas, radius)) return canvas.plot_free(center);
    const int quarter = enough_steps(std::numbers::pi / 2 * radius, canvas.lattice().dp());
    require_places(4 * double(quarter) * quarter);
    canvas.plot_free(center + Vec3d{0, 0, radius});
    for (int k = 1; k < 2 * quarter; ++k) {
        const double angle = std::numbers::pi / 2 * k / quarter, across = radius * std::sin(angle);
        if (across >= narrowest_ring * canvas.lattice().dp())
            draw_ring(canvas, center + Vec3d{0, 0, radius * std::cos(angle)}, across, {1, 0, 0}, {0, 1, 0});
    }
}

void draw_round_cut(Canvas& canvas, const Vec3d& center, double radius, bool inside) {
    if (is_narrow(canvas, radius)) return canvas.plot_free(in_plane(canvas, center));
    const Vec3d c = in_plane(canvas, center), up{0, 0, 1}, right{1, 0, 0};
    if (inside)
        draw_disc(canvas, c, radius, up, right);
    else
        draw_ring(canvas, c, radius, up, right);
}

} // namespace

void draw_lines_freely(Canvas& canvas, const std::vector<Vec3d>& points) {
    for (std::size_t i = 1; i < points.size(); ++i) draw_line(canvas, points[i - 1], points[i]);
}

void draw_parallelogram_freely(Canvas& canvas, const Vec3d& corner, const Vec3d& side1, const Vec3d& side2) {
    const double dp = canvas.lattice().dp();
    const int n = enough_steps(norm(side1), dp), m = enough_steps(norm(side2), dp);
    require_places((n + 1.0) * (m + 1.0));
    for (int j = 0; j <= m; ++j)
        for (int i = 0; i <= n; ++i) canvas.plot_free(corner + (double(i) / n) * side1 + (double(j) / m) * side2);
}

void draw_triangle_freely(Canvas& canvas, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d area = cross(b - a, c - a);
    if (dot(area, area) == 0) return;
    const double dp = canvas.lattice().dp();
    const Vec3d origin = canvas.lattice().node({0, 0, 0}), normal = normalized(area);
    const bool across_y = std::hypot(normal.x, normal.z) < 1e-9;
    const Vec3d e1 = across_y ? Vec3d{1, 0, 0} : normalized(Vec3d{normal.z, 0, -normal.x}), e2 = cross(normal, e1);
    // Corners in steps along e1 and e2; a hair counts as on the edge.
    constexpr double hair = 1e-6;
    double u[3], v[3];
    for (int i = 0; i < 3; ++i) {
        const Vec3d p = (i == 0 ? a : i == 1 ? b : c) - origin;
        u[i] = dot(p, e1) / dp;
        v[i] = dot(p, e2) / dp;
    }
    const auto [low_u, high_u] = std::minmax({u[0], u[1], u[2]});
    const auto [low_v, high_v] = std::minmax({v[0], v[1], v[2]});
    require_places((high_u - low_u + 1) * (high_v - low_v + 1));
    constexpr double far = 1e9; // no lattice is that large
    if (std::max({high_u, high_v, -low_u, -low_v}) > far) return;
    const Vec3d foot = origin + dot(a - origin, normal) * normal;
    for (int j = static_cast<int>(std::ceil(low_v - hair)); j <= high_v + hair; ++j)
        for (int i = static_cast<int>(std::ceil(low_u - hair)); i <= high_u + hair; ++i) {
            bool inside = true;
            for (int k = 0; k < 3; ++k) {
                const double du = u[(k + 1) % 3] - u[k], dv = v[(k + 1) % 3] - v[k];
                inside = inside && du * (j - v[k]) - dv * (i - u[k]) >= -hair * std::hypot(du, dv);
            }
            if (inside) canvas.plot_free(foot + (dp * i) * e1 + (dp * j) * e2);
        }
}

void draw_swept_freely(Canvas& canvas, const std::vector<Vec3d>& points, const Vec3d& sweep, bool closed) {
    const std::size_t segments = points.size() - (closed ? 0 : 1);
    for (std::size_t s = 0; s < segments; ++s) {
        const Vec3d &a = points[s], &b = points[(s + 1) % points.size()];
        if (!canvas.lattice().two_d())
            draw_parallelogram_freely(canvas, a, b - a, sweep);
        else if (crosses_plane(canvas, a.y, a.y + sweep.y))
            draw_cut(canvas, a, b);
    }
}

void draw_box_freely(Canvas& canvas, const Vec3d& corner, const std::array<Vec3d, 3>& edges, unsigned fill) {
    const unsigned bits[3][2] = {{box_left, box_right}, {box_front, box_back}, {box_bottom, box_top}};
    const bool two_d = canvas.lattice().two_d();
    if (two_d && !crosses_plane(canvas, corner.y, corner.y + edges[1].y)) return;
    if (fill & box_solid) {
        for (const Vec3d& edge : edges)
            if (norm(edge) == 0) return; // it has no inside
        if (two_d) return draw_parallelogram_freely(canvas, in_plane(canvas, corner), edges[0], edges[2]);
        const double dp = canvas.lattice().dp();
        const int n = enough_steps(norm(edges[2]), dp);
        require_places((norm(edges[0]) / dp + 1) * (norm(edges[1]) / dp + 1) * (n + 1.0));
        for (int k = 0; k <= n; ++k)
            draw_parallelogram_freely(canvas, corner + (double(k) / n) * edges[2], edges[0], edges[1]);
        return;
    }
    for (int axis = 0; axis < 3; ++axis)
        for (int far = 0; far < 2; ++far) {
            if (!(fill & bits[axis][far])) continue;
            const Vec3d begin = far ? corner + edges[std::size_t(axis)] : corner;
            if (!two_d)
                draw_parallelogram_freely(canvas, begin, edges[std::size_t((axis + 1) % 3)],
                                          edges[std::size_t((axis + 2) % 3)]);
            else if (axis != 1)
                draw_cut(canvas, begin, begin + edges[axis == 0 ? 2 : 0]);
        }
}

void draw_ball_freely(Canvas& canvas, const Vec3d& center, double radius, bool inside) {
    if (canvas.lattice().two_d()) return draw_round_cut(canvas, center, radius, inside);
    const int n = inside ? enough_steps(radius, canvas.lattice().dp()) : 1;
    require_places(4 * std::numbers::pi / 3 * n * double(n) * n);
    for (int k = 1; k <= n; ++k) draw_sphere_surface(canvas, center, radius * k / n);
}

namespace {

/// Where the rings of a tilted cylinder begin, as the reference generator turns them.
Vec3d first_direction(const Vec3d& axis) {
    const auto zero = [](double v) { return std::abs(v) < 1e-9; };
    if (zero(axis.x) && zero(axis.z)) return normalized(cross(Vec3d{1, 0, 0}, axis));
    const Vec3d e = normalized(cross(Vec3d{0, 1, 0}, axis));
    if (zero(axis.x) && zero(axis.y)) return e;
    return zero(axis.x) ? -1.0 * cross(axis, e) : -1.0 * e;
}

/// How far a place is beyond a solid cylinder, along its axis or across it, m.
double distance_to(const FreeCylinder& c, const Vec3d& axis, double length, const Vec3d& p) {
    const double along = dot(p - c.from, axis), off = norm(p - c.from - along * axis);
    return std::max({-along, along - length, off - c.radius, 0.0});
}

} // namespace

void draw_cylinder_freely(Canvas& canvas, const FreeCylinder& c) {
    const double dp = canvas.lattice().dp(), length = norm(c.to - c.from);
    const Vec3d axis = normalized(c.to - c.from);
    if (canvas.lattice().two_d()) {
        if (std::abs(axis.x) > 1e-9 || std::abs(axis.z) > 1e-9)
            throw InputError("off the lattice of a 2-D case a cylinder must be along y");
        if (!c.is_layer) {
            if (crosses_plane(canvas, c.from.y, c.to.y)) draw_round_cut(canvas, c.from, c.radius, c.inside);
            return;
        }
    }
    // Layers are drawn in 2-D as in 3-D, and of their rows those in the plane stay.
    const auto shown = [&](const Vec3d& center) {
        return !canvas.lattice().two_d() || std::abs(center.y - canvas.lattice().coordinate(1, 0)) < 1e-6 * dp;
    };
    const Vec3d e1 = first_direction(axis), e2 = cross(axis, e1);
    const int n = enough_steps(length, dp), k = enough_steps(c.radius, dp);
    require_places((n + 1.0) * 2 * std::numbers::pi * k * (c.inside ? k : 1));
    const bool narrow = is_narrow(canvas, c.radius);
    for (const auto& [drawn, center] : {std::pair{c.cover_from, c.from}, {c.cover_to, c.to}})
        if (drawn && !narrow && !c.inside && shown(center)) draw_disc(canvas, center, c.radius, e1, e2);
    for (int i = 0; i <= n && (c.tube || c.inside); ++i) {
        const Vec3d center = c.from + (double(i) / n) * (c.to - c.from);
        if (!shown(center)) continue;
        if (narrow) // its particles would not fit beside each other
            canvas.plot_free(center);
        else if (c.inside)
            draw_disc(canvas, center, c.radius, e1, e2);
        else
            draw_ring(canvas, center, c.radius, e1, e2);
    }
    const Vec3d reach{c.radius, c.radius, c.radius};
    Extent around;
    around.add(c.from);
    around.add(c.to);
    if (c.inside)
        canvas.take_near(around.min - reach, around.max + reach,
                         [&](const Vec3d& p) { return distance_to(c, axis, length, p); });
}

} // namespace sluice

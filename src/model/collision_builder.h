// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/extent.h"
#include "model/collisions.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace sluice {

namespace collision {

/// A surface with its points, each once.
struct WeldedSurface {
    std::vector<Vec3d> points;
    std::vector<std::array<int, 3>> triangles;
    std::vector<Vec3d> normals; ///< of the triangles, of length 1

    double size() const {
        Extent extent;
        for (const Vec3d& p : points) extent.add(p);
        return norm(extent.max - extent.min);
    }
};

/// Points nearer than this part of the size of a surface are one.
constexpr double weld_part = 1e-6;

inline WeldedSurface welded(const std::vector<Facet>& facets) {
    Extent extent;
    for (const Facet& facet : facets)
        for (const Vec3d& p : facet) extent.add(p);
    const double cell = weld_part * norm(extent.max - extent.min);
    std::map<std::array<long long, 3>, int> known;
    WeldedSurface surface;
    for (const Facet& facet : facets) {
        const Vec3d area = cross(facet[1] - facet[0], facet[2] - facet[0]);
        std::array<int, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d from = facet[k] - extent.min;
            const std::array<long long, 3> key{std::llround(from.x / cell), std::llround(from.y / cell),
                                               std::llround(from.z / cell)};
            const auto [place, is_new] = known.try_emplace(key, static_cast<int>(surface.points.size()));
            if (is_new) surface.points.push_back(facet[k]);
            corners[k] = place->second;
        }
        const bool flat = corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
        if (flat || !(norm(area) > cell * cell)) continue;
        surface.triangles.push_back(corners);
        surface.normals.push_back(normalized(area));
    }
    return surface;
}

/// The pieces of a surface that share no point, in the order of their first triangles.
inline std::vector<std::vector<Facet>> pieces_of(const std::vector<Facet>& facets) {
    const WeldedSurface all = welded(facets);
    std::vector<int> root(all.points.size());
    std::iota(root.begin(), root.end(), 0);
    const auto of = [&](int k) {
        while (root[std::size_t(k)] != k) k = root[std::size_t(k)] = root[std::size_t(root[std::size_t(k)])];
        return k;
    };
    for (const auto& t : all.triangles)
        for (const int k : {t[1], t[2]}) root[std::size_t(std::max(of(t[0]), of(k)))] = std::min(of(t[0]), of(k));
    std::map<int, std::size_t> place;
    std::vector<std::vector<Facet>> pieces;
    for (const auto& t : all.triangles) {
        const auto [at, is_new] = place.try_emplace(of(t[0]), pieces.size());
        if (is_new) pieces.emplace_back();
        pieces[at->second].push_back(
            {all.points[std::size_t(t[0])], all.points[std::size_t(t[1])], all.points[std::size_t(t[2])]});
    }
    return pieces;
}

/// An edge of triangles, by its points, the smaller first.
using EdgeKey = std::array<int, 2>;

inline std::map<EdgeKey, std::vector<int>> edges_of(const WeldedSurface& surface) {
    std::map<EdgeKey, std::vector<int>> edges;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = surface.triangles[t][k], b = surface.triangles[t][(k + 1) % 3];
            edges[{std::min(a, b), std::max(a, b)}].push_back(static_cast<int>(t));
        }
    return edges;
}

/// Directions that differ by less than this angle are one, rad.
constexpr double flat_angle = 0.017;

inline bool same_direction(const Vec3d& a, const Vec3d& b) { return dot(a, b) > 0 && norm(cross(a, b)) < flat_angle; }

/// Whether all triangles lie on a ball, but for less than a hundredth of its radius.
inline bool is_ball(const WeldedSurface& surface, CollisionShape& shape) {
    Extent extent;
    for (const Vec3d& p : surface.points) extent.add(p);
    const Vec3d centre = 0.5 * (extent.min + extent.max);
    const double radius = 0.5 * (extent.max.x - extent.min.x);
    for (const Vec3d& p : surface.points)
        if (std::fabs(norm(p - centre) - radius) > 1e-3 * radius) return false;
    for (const auto& t : surface.triangles) {
        Vec3d middle;
        for (const int k : t) middle = middle + (1.0 / 3) * surface.points[std::size_t(k)];
        if (norm(middle - centre) < 0.99 * radius) return false;
    }
    shape.form = CollisionForm::ball;
    shape.centre = centre;
    shape.reach = shape.rounding = radius;
    return true;
}

/// Whether it is a rectangular box, in 2-D one without its ends.
inline bool is_block(const WeldedSurface& surface, bool two_d, CollisionShape& shape) {
    constexpr double exact = 1e-6;
    std::vector<Vec3d> axes;
    for (const Vec3d& n : surface.normals) {
        const bool known =
            std::any_of(axes.begin(), axes.end(), [&](const Vec3d& axis) { return norm(cross(axis, n)) < exact; });
        if (!known) axes.push_back(n);
        if (axes.size() > 3) return false;
    }
    if (two_d && axes.size() == 2) axes.push_back({0, 1, 0});
    if (axes.size() != 3 || surface.points.size() < 8) return false;
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3d& p : surface.points)
        for (int k = 0; k < 3; ++k) {
            const double along = dot(p, axes[std::size_t(k)]);
            low[k] = std::min(low[k], along);
            high[k] = std::max(high[k], along);
        }
    for (int k = 0; k < 3; ++k) {
        if (std::fabs(dot(axes[std::size_t(k)], axes[std::size_t((k + 1) % 3)])) > exact) return false;
        shape.axes[k] = axes[std::size_t(k)];
        shape.half[k] = 0.5 * (high[k] - low[k]);
    }
    const double size = norm(shape.half);
    for (const auto& t : surface.triangles) { // each on one of the six sides
        bool on_a_side = false;
        for (int k = 0; k < 3; ++k)
            for (const double side : {low[k], high[k]})
                on_a_side =
                    on_a_side || std::all_of(t.begin(), t.end(), [&](int p) {
                        return std::fabs(dot(surface.points[std::size_t(p)], shape.axes[k]) - side) < exact * size;
                    });
        if (!on_a_side) return false;
    }
    shape.form = CollisionForm::block;
    shape.centre = {};
    for (int k = 0; k < 3; ++k) shape.centre = shape.centre + 0.5 * (low[k] + high[k]) * shape.axes[k];
    shape.reach = size;
    return true;
}

/// The normals of the triangles around each point, those that are one left out.
inline std::vector<std::vector<Vec3d>> normals_at_points(const WeldedSurface& surface) {
    std::vector<std::vector<Vec3d>> all(surface.points.size());
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
        for (const int k : surface.triangles[t]) {
            std::vector<Vec3d>& known = all[std::size_t(k)];
            const Vec3d& n = surface.normals[t];
            if (std::none_of(known.begin(), known.end(), [&](const Vec3d& m) { return same_direction(m, n); }))
                known.push_back(n);
        }
    return all;
}

/// From a point to the place that lies `rounding` behind all planes through it: n·d = −rounding, by least squares.
inline Vec3d way_inside(const std::vector<Vec3d>& normals, double rounding) {
    constexpr double ridge = 1e-9; // of directions that no plane says anything of
    Vec3d rows[3] = {{ridge, 0, 0}, {0, ridge, 0}, {0, 0, ridge}}, sum;
    for (const Vec3d& n : normals) {
        sum = sum + n;
        for (int axis = 0; axis < 3; ++axis) rows[axis] = rows[axis] + n[axis] * n;
    }
    const Vec3d across = cross(rows[1], rows[2]);
    const Vec3d way = (-rounding / dot(rows[0], across)) *
                      (sum.x * across + sum.y * cross(rows[2], rows[0]) + sum.z * cross(rows[0], rows[1]));
    const double length = norm(way), longest = 4 * rounding;
    return length > longest ? (longest / length) * way : way;
}

/// Adds the points where faces meet, and the edges that are longer than `finest` (m).
inline void add_features(const WeldedSurface& surface, double finest, CollisionShape& shape, Collisions& all) {
    const std::vector<std::vector<Vec3d>> normals = normals_at_points(surface);
    shape.first_point = static_cast<int>(all.points.size());
    shape.first_edge = static_cast<int>(all.edges.size());
    std::vector<Vec3d> inside;
    const bool round = shape.closed && shape.rounding > 0;
    const std::map<EdgeKey, std::vector<int>> edges = edges_of(surface);
    std::vector<bool> ends(surface.points.size()); // of a sheet
    for (const auto& [key, triangles] : edges)
        if (triangles.size() == 1) ends[std::size_t(key[0])] = ends[std::size_t(key[1])] = true;
    for (std::size_t k = 0; k < surface.points.size(); ++k) {
        inside.push_back(surface.points[k] + (round ? way_inside(normals[k], shape.rounding) : Vec3d{}));
        if (normals[k].size() > 1 || ends[k]) all.points.push_back(inside.back());
    }
    for (const auto& [key, triangles] : edges) {
        const Vec3d &from = inside[std::size_t(key[0])], &to = inside[std::size_t(key[1])];
        const bool flat = triangles.size() == 2 && same_direction(surface.normals[std::size_t(triangles[0])],
                                                                  surface.normals[std::size_t(triangles[1])]);
        if (!flat && norm(to - from) > finest) all.edges.push_back({from, to});
    }
    shape.point_count = static_cast<int>(all.points.size()) - shape.first_point;
    shape.edge_count = static_cast<int>(all.edges.size()) - shape.first_edge;
}

/// Whether a surface has no edge of one triangle alone; in 2-D, where it is a strip, but for those along the plane.
inline bool encloses(const WeldedSurface& surface, bool two_d) {
    const double touch = weld_part * surface.size();
    const std::map<EdgeKey, std::vector<int>> edges = edges_of(surface);
    return std::all_of(edges.begin(), edges.end(), [&](const auto& edge) {
        const double across =
            surface.points[std::size_t(edge.first[0])].y - surface.points[std::size_t(edge.first[1])].y;
        return edge.second.size() == 2 || (two_d && edge.second.size() == 1 && std::fabs(across) <= touch);
    });
}

/// The part of the shortest side of a shape that its corners are rounded by at most.
constexpr double most_rounding = 0.1;

inline void add_shape(Collisions& all, const std::vector<Facet>& piece, double rounding, double finest) {
    const WeldedSurface surface = welded(piece);
    if (surface.triangles.empty()) return;
    CollisionShape shape;
    Extent extent;
    for (const Vec3d& p : surface.points) extent.add(p);
    const Vec3d size = extent.max - extent.min;
    shape.centre = 0.5 * (extent.min + extent.max);
    shape.closed = encloses(surface, all.two_d);
    for (const Vec3d& p : surface.points) shape.reach = std::max(shape.reach, norm(p - shape.centre));
    double volume = 0; // of what it encloses; turned inside out it is negative
    for (const auto& t : surface.triangles) {
        const auto from = [&](int k) { return surface.points[std::size_t(t[std::size_t(k)])] - shape.centre; };
        volume += dot(from(0), cross(from(1), from(2))) / 6;
    }
    const bool solid = shape.closed && volume > 0;
    if (solid && is_ball(surface, shape)) {
        shape.first_point = static_cast<int>(all.points.size());
        shape.point_count = 1;
        all.points.push_back(shape.centre);
    } else {
        double thinnest = all.two_d ? std::min(size.x, size.z) : std::min({size.x, size.y, size.z});
        if (solid && is_block(surface, all.two_d, shape)) {
            thinnest = 2e300;
            for (int k = 0; k < 3; ++k)
                if (!all.two_d || std::fabs(shape.axes[k].y) < 0.5) thinnest = std::min(thinnest, 2 * shape.half[k]);
        } else {
            shape.first_facet = static_cast<int>(all.facets.size());
            shape.facet_count = static_cast<int>(piece.size());
            all.facets.insert(all.facets.end(), piece.begin(), piece.end());
        }
        shape.rounding = solid ? std::min(rounding, most_rounding * thinnest) : 0;
        add_features(surface, finest, shape, all);
    }
    all.shapes.push_back(shape);
}

} // namespace collision

/// Adds a wall or a body with the surface that `facets` have, whose normals point away from what is solid. Pieces that
/// hang together are shapes of their own; balls and blocks are recognised. `rounding`: of its corners and edges, m;
/// `finest`: edges that are not longer have no contacts beside those of their ends, m.
inline void add_collider(Collisions& all, Collider collider, const std::vector<Facet>& facets, double rounding,
                         double finest) {
    collider.first_shape = static_cast<int>(all.shapes.size());
    for (const std::vector<Facet>& piece : collision::pieces_of(facets))
        collision::add_shape(all, piece, rounding, finest);
    collider.shape_count = static_cast<int>(all.shapes.size()) - collider.first_shape;
    all.colliders.push_back(collider);
}

} // namespace sluice

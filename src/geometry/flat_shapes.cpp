// SPDX-License-Identifier: Apache-2.0
#include "geometry/flat_shapes.h"

#include <algorithm>
#include <cmath>

namespace sluice {

namespace {

Vec3d to_double(const Corner& c) { return {double(c.x), double(c.y), double(c.z)}; }

double squared_distance_to_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d ab = b - a, ap = p - a;
    const double length2 = dot(ab, ab);
    const double t = length2 > 0 ? std::clamp(dot(ap, ab) / length2, 0.0, 1.0) : 0;
    const Vec3d d = ap - t * ab;
    return dot(d, d);
}

int dominant_axis(const Vec3d& v) {
    const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

int floor_int(double v) { return static_cast<int>(std::floor(std::clamp(v, -2e9, 2e9))); }
int ceil_int(double v) { return static_cast<int>(std::ceil(std::clamp(v, -2e9, 2e9))); }

// Distances of exactly the thickness occur (3-4-5 triangles have them). Between these two rounding decides, and `Tie`
// rounds as the reference generator does.
constexpr double surely_near = surface_thickness - 1e-7;
constexpr double maybe_near = surface_thickness + 1e-7;

/// A plane normal·p + offset = 0 through three points; on the side of the normal they turn to the left.
struct Plane {
    Vec3d normal;
    double offset, length; ///< length of the normal

    Plane(const Vec3d& a, const Vec3d& b, const Vec3d& c)
        : normal(cross(b - a, c - a)), offset(-dot(normal, a)), length(norm(normal)) {}
    double at(const Vec3d& p) const { return normal.x * p.x + normal.y * p.y + normal.z * p.z + offset; }
};

/// A triangle in metres from the corner of the lattice's box, for nodes at exactly the thickness.
class Tie {
public:
    Tie(const Lattice& lattice, const Triangle& t)
        : origin_(lattice.node({0, 0, 0})), dp_(lattice.dp()), corner_{place(t[0]), place(t[1]), place(t[2])},
          plane_(corner_[0], corner_[1], corner_[2]) {}

    bool near_plane(const Corner& p) const {
        return std::abs(plane_.at(place(p)) / plane_.length) <= dp_ * surface_thickness;
    }
    /// Inside the three planes that stand on the triangle along its edges, each moved outward by the thickness.
    bool near_edge(const Corner& p) const {
        const Vec3d at = place(p), first = corner_[0] + plane_.normal, second = corner_[1] + plane_.normal;
        return inside(corner_[0], corner_[1], first, at) && inside(corner_[1], corner_[2], second, at) &&
               inside(corner_[2], corner_[0], first, at);
    }

private:
    Vec3d place(const Corner& c) const { return {origin_.x + dp_ * c.x, origin_.y + dp_ * c.y, origin_.z + dp_ * c.z}; }
    bool inside(const Vec3d& a, const Vec3d& b, const Vec3d& above, const Vec3d& p) const {
        const Plane edge(a, b, above);
        const Vec3d out = (dp_ * surface_thickness / edge.length) * edge.normal;
        return Plane(a + out, b + out, above + out).at(p) < 0;
    }

    Vec3d origin_;
    double dp_;
    Vec3d corner_[3];
    Plane plane_;
};

/// A triangle with what is needed to test many nodes against it.
struct FlatTriangle {
    Vec3d a, b, c, normal; ///< unit normal
    Tie tie;

    bool near(const Corner& node) const {
        const Vec3d p = to_double(node);
        const double h = dot(p - a, normal);
        if (std::abs(h) >= maybe_near || (std::abs(h) > surely_near && !tie.near_plane(node))) return false;
        const Vec3d foot = p - h * normal;
        const bool inside = dot(cross(b - a, foot - a), normal) >= 0 && dot(cross(c - b, foot - b), normal) >= 0 &&
                            dot(cross(a - c, foot - c), normal) >= 0;
        if (inside) return true;
        const double d = std::min({squared_distance_to_segment(foot, a, b), squared_distance_to_segment(foot, b, c),
                                   squared_distance_to_segment(foot, c, a)});
        return d < surely_near * surely_near || (d < maybe_near * maybe_near && tie.near_edge(node));
    }
};

} // namespace

void draw_segment(Canvas& canvas, const Corner& from, const Corner& to) {
    if (from == to) return;
    const Vec3d a = to_double(from), b = to_double(to), d = b - a;
    const int w = dominant_axis(d), u = (w + 1) % 3, v = (w + 2) % 3;
    const Vec3i n = canvas.lattice().count();
    const int first = std::max(std::min(from[w], to[w]), 0), last = std::min(std::max(from[w], to[w]), n[w] - 1);
    for (int i = first; i <= last; ++i) {
        const double t = (i - a[w]) / d[w];
        Corner p;
        p[w] = i;
        // The line leans at most 45° from this axis, so 1.5 nodes to either side hold everything within reach.
        const double cu = a[u] + t * d[u], cv = a[v] + t * d[v];
        for (p[u] = ceil_int(cu - 1.5); p[u] <= cu + 1.5; ++p[u])
            for (p[v] = ceil_int(cv - 1.5); p[v] <= cv + 1.5; ++p[v])
                if (squared_distance_to_segment(to_double(p), a, b) < surely_near * surely_near)
                    canvas.plot(p.x, p.y, p.z);
    }
}

void draw_triangle(Canvas& canvas, const Triangle& t) {
    const Vec3d a = to_double(t[0]), b = to_double(t[1]), c = to_double(t[2]);
    const Vec3d area = cross(b - a, c - a);
    const double length = norm(area);
    if (length == 0) {
        // Without a plane nothing is near it.
        if (t[0] == t[1] && t[0] == t[2]) canvas.plot(t[0].x, t[0].y, t[0].z);
        return;
    }
    const FlatTriangle flat{a, b, c, (1 / length) * area, Tie(canvas.lattice(), t)};
    const int w = dominant_axis(area), u = (w + 1) % 3, v = (w + 2) % 3;
    const Vec3i n = canvas.lattice().count();
    const double spread = maybe_near / std::abs(flat.normal[w]);
    const auto low = [&](int axis) { return std::max(std::min({t[0][axis], t[1][axis], t[2][axis]}) - 1, 0); };
    const auto high = [&](int axis) {
        return std::min(std::max({t[0][axis], t[1][axis], t[2][axis]}) + 1, n[axis] - 1);
    };
    Corner p;
    for (p[u] = low(u); p[u] <= high(u); ++p[u])
        for (p[v] = low(v); p[v] <= high(v); ++p[v]) {
            const double middle =
                a[w] - (flat.normal[u] * (p[u] - a[u]) + flat.normal[v] * (p[v] - a[v])) / flat.normal[w];
            const int last = std::min(floor_int(middle + spread), n[w] - 1);
            for (p[w] = std::max(ceil_int(middle - spread), 0); p[w] <= last; ++p[w])
                if (flat.near(p)) canvas.plot(p.x, p.y, p.z);
        }
}

namespace {

/// Twice the signed area of a–b–c seen along axis w.
template <class T>
double turn(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c, int u, int v) {
    return (double(b[u]) - a[u]) * (double(c[v]) - a[v]) - (double(b[v]) - a[v]) * (double(c[u]) - a[u]);
}

/// Area vector of a polygon (Newell).
template <class T>
Vec3d area_vector(const std::vector<Vec3<T>>& polygon) {
    Vec3d sum;
    const Vec3d origin = vec_cast<double>(polygon[0]);
    for (std::size_t i = 0; i < polygon.size(); ++i)
        sum = sum + cross(vec_cast<double>(polygon[i]) - origin,
                          vec_cast<double>(polygon[(i + 1) % polygon.size()]) - origin);
    return sum;
}

/// Cuts off ears: corners whose triangle holds no other corner, also not on the edge that is cut.
template <class T>
Triangles<T> cut_ears(std::vector<Vec3<T>> rest, int u, int v, double sign) {
    Triangles<T> out;
    while (rest.size() > 3) {
        bool cut = false;
        for (std::size_t i = 0; i < rest.size() && !cut; ++i) {
            const std::size_t n = rest.size();
            const Vec3<T>&a = rest[(i + n - 1) % n], &b = rest[i], &c = rest[(i + 1) % n];
            if (sign * turn(a, b, c, u, v) < 0) continue;
            bool empty = true;
            for (const Vec3<T>& p : rest) {
                // also none on the cut; the corners of the ear itself turn by exactly 0
                if (sign * turn(a, b, p, u, v) > 0 && sign * turn(b, c, p, u, v) > 0 && sign * turn(c, a, p, u, v) >= 0)
                    empty = false;
            }
            if (!empty) continue;
            out.push_back({a, b, c});
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
            cut = true;
        }
        if (!cut) break; // it crosses itself: a fan is as good as anything
    }
    for (std::size_t i = 2; i < rest.size(); ++i) out.push_back({rest[0], rest[i - 1], rest[i]});
    return out;
}

} // namespace

template <class T>
Triangles<T> triangulate(const std::vector<Vec3<T>>& polygon) {
    Triangles<T> out;
    const Vec3d area = area_vector(polygon);
    const int w = dominant_axis(area), u = (w + 1) % 3, v = (w + 2) % 3;
    // Quadrilaterals are cut from their first corner unless that lies outside of them.
    const bool cut_is_inside =
        polygon.size() == 4 &&
        turn(polygon[0], polygon[1], polygon[2], u, v) * turn(polygon[0], polygon[2], polygon[3], u, v) >= 0;
    if (polygon.size() > 3 && !cut_is_inside && polygon.size() <= 2000 && dot(area, area) > 0)
        return cut_ears(polygon, u, v, area[w] > 0 ? 1 : -1);
    for (std::size_t i = 2; i < polygon.size(); ++i) out.push_back({polygon[0], polygon[i - 1], polygon[i]});
    return out;
}

template Triangles<int> triangulate(const std::vector<Vec3i>&);
template Triangles<double> triangulate(const std::vector<Vec3d>&);

} // namespace sluice

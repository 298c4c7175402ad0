// SPDX-License-Identifier: Apache-2.0
#include "geometry/round_shapes.h"

#include "geometry/flat_shapes.h"
#include <algorithm>
#include <cmath>

namespace sluice {

namespace {

/// Calls visit(node) for the nodes of the lattice within `reach` of the box of two points.
template <class Visit>
void around(const Canvas& canvas, const Vec3i& a, const Vec3i& b, double reach, Visit&& visit) {
    const int r = static_cast<int>(std::min(std::ceil(reach), 1e9));
    IndexBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.first[axis] = std::min(a[axis], b[axis]) - r;
        box.last[axis] = std::max(a[axis], b[axis]) + r;
    }
    box = canvas.lattice().clip(box);
    if (box.empty()) return;
    canvas.check_volume(box);
    Vec3i p;
    for (p.z = box.first.z; p.z <= box.last.z; ++p.z)
        for (p.y = box.first.y; p.y <= box.last.y; ++p.y)
            for (p.x = box.first.x; p.x <= box.last.x; ++p.x) visit(p);
}

double distance(const Vec3i& a, const Vec3i& b) {
    const double x = double(a.x) - b.x, y = double(a.y) - b.y, z = double(a.z) - b.z;
    return std::sqrt(x * x + y * y + z * z);
}

bool belongs(double away, const RoundParts& parts) {
    return (parts.inside && away <= *parts.inside) ||
           (parts.surface && std::abs(away - *parts.surface) <= surface_thickness);
}

double reach(const RoundParts& parts) { return std::max(parts.surface.value_or(0), parts.inside.value_or(0)) + 1; }

} // namespace

void draw_ball(Canvas& canvas, const Vec3i& center, const RoundParts& parts) {
    around(canvas, center, center, reach(parts), [&](const Vec3i& p) {
        if (belongs(distance(p, center), parts)) canvas.plot(p.x, p.y, p.z);
    });
}

void draw_ellipsoid(Canvas& canvas, const Vec3i& focus1, const Vec3i& focus2, const RoundParts& parts) {
    around(canvas, focus1, focus2, reach(parts) / 2, [&](const Vec3i& p) {
        if (belongs(distance(p, focus1) + distance(p, focus2), parts)) canvas.plot(p.x, p.y, p.z);
    });
}

void draw_cylinder(Canvas& canvas, const Vec3i& from, const Vec3i& to, double radius, CylinderParts parts) {
    const Vec3d a{double(from.x), double(from.y), double(from.z)};
    const Vec3d axis = Vec3d{double(to.x), double(to.y), double(to.z)} - a;
    const double length = norm(axis);
    if (length == 0)
        return draw_ball(
            canvas, from,
            {parts.tube ? std::optional(radius) : std::nullopt, parts.inside ? std::optional(radius) : std::nullopt});
    const Vec3d u = (1 / length) * axis;
    constexpr double c = surface_thickness;
    around(canvas, from, to, radius + 1, [&](const Vec3i& p) {
        const Vec3d d = Vec3d{double(p.x), double(p.y), double(p.z)} - a;
        const double along = dot(d, u);
        const Vec3d off = d - along * u;
        const double r = norm(off);
        if (along <= -c || along >= length + c || r > radius + c) return;
        const bool between = along >= 0 && along <= length;
        const bool drawn = (parts.tube && std::abs(r - radius) <= c) || (parts.cover_from && along < c) ||
                           (parts.cover_to && along > length - c) || (parts.inside && between && r <= radius);
        if (drawn) canvas.plot(p.x, p.y, p.z);
    });
}

} // namespace sluice

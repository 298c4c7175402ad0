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
    const Lattice& lattice = canvas.lattice();
    const Vec3i axis{to.x - from.x, to.y - from.y, to.z - from.z};
    const double length2 = double(axis.x) * axis.x + double(axis.y) * axis.y + double(axis.z) * axis.z;
    if (length2 == 0) return;
    const double dp = lattice.dp(), shell = std::floor(radius / dp + 0.5), length = std::sqrt(length2);
    const Vec3d start = lattice.node(from), end = lattice.node(to);
    const double apart = norm(end - start);
    around(canvas, from, to, std::max(shell, radius / dp) + 1, [&](const Vec3i& p) {
        const double along =
            double(p.x - from.x) * axis.x + double(p.y - from.y) * axis.y + double(p.z - from.z) * axis.z;
        // In metres and from both ends, as the reference generator does: rounding decides about nodes at exactly the
        // radius, on each layer in its own way.
        const Vec3d place = lattice.node(p);
        const double off = norm(cross(place - start, place - end)) / apart;
        const bool between = along >= 0 && along <= length2, within = off <= radius;
        const double from_start = std::abs(along) / length, from_end = std::abs(along - length2) / length;
        if ((parts.tube && between && std::abs(off / dp - shell) <= surface_thickness) ||
            (parts.cover_from && within && from_start <= surface_thickness) ||
            (parts.cover_to && within && from_end <= surface_thickness) || (parts.inside && between && within))
            canvas.plot(p.x, p.y, p.z);
    });
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "geometry/shape_surface.h"

#include "geometry/bathymetry.h"
#include "geometry/extrude.h"
#include "geometry/flat_shapes.h"
#include "geometry/layers.h"
#include "geometry/mesh_draw.h"
#include "geometry/round_surface.h"
#include <algorithm>
#include <cmath>

namespace sluice {

namespace {

using Facets = std::vector<Facet>;

void append(Facets& out, const Facets& more) { out.insert(out.end(), more.begin(), more.end()); }

/// Six times the volume that triangles enclose if their normals point out of it.
double enclosed_volume(const Facets& facets) {
    if (facets.empty()) return 0;
    const Vec3d origin = facets.front()[0];
    double sum = 0;
    for (const Facet& f : facets) sum += dot(f[0] - origin, cross(f[1] - origin, f[2] - origin));
    return sum;
}

Facets figure(const DrawFaces& faces, const SurfaceInk& ink) {
    Facets out;
    for (std::size_t f = 0; f < faces.faces.size(); ++f) {
        std::vector<Vec3d> polygon;
        for (int corner : faces.faces[f]) polygon.push_back(ink.matrix(faces.points[std::size_t(corner)]));
        Facets face = triangulate(polygon);
        if (static_cast<int>(f) == faces.first_base) turn_over(face);
        append(out, face);
    }
    const bool inward = faces.body == DrawFaces::Body::none ? ink.mirrored() : enclosed_volume(out) < 0;
    if (inward) turn_over(out);
    return out;
}

/// In 2-D a box may have no depth: then it stands out on both sides of the plane.
Facets surface(DrawBox box, const SurfaceInk& ink) {
    if (ink.two_d && box.min.y == box.max.y) {
        box.min.y -= ink.dp;
        box.max.y += ink.dp;
    }
    Facets out;
    for (double layer : layers_or_surface(box.layers.shapes)) {
        const auto [low, high] = grown(box, layer * ink.dp);
        DrawFaces faces = faces_of_box(low, high, box.fill);
        const bool closed = box.fill & box_solid || (box.fill & box_all_faces) == box_all_faces;
        if (closed) faces.body = DrawFaces::Body::prism;
        append(out, figure(faces, ink));
    }
    return out;
}

Facets surface(const DrawExtrude& extrude, const SurfaceInk& ink) {
    std::vector<Vec3d> points;
    for (const Vec3d& p : extrude.points) points.push_back(ink.matrix(p));
    const Vec3d sweep = ink.matrix.turned(extrude.extrude);
    Facets out;
    for (double layer : layers_or_surface(extrude.layers.shapes)) {
        const auto line = offset_polyline(points, sweep, extrude.closed, layer * ink.dp);
        const std::size_t segments = line.size() - (extrude.closed ? 0 : 1);
        for (std::size_t s = 0; s < segments; ++s) {
            const Vec3d &a = line[s], &b = line[(s + 1) % line.size()];
            out.push_back({a, b, b + sweep});
            out.push_back({a, b + sweep, a + sweep});
        }
    }
    return out;
}

Facets surface(const DrawFaces& faces, const SurfaceInk& ink) { return figure(faces, ink); }

Facets surface(const DrawSphere& sphere, const SurfaceInk& ink) {
    Facets out;
    for (double layer : layers_or_surface(sphere.layers.shapes)) {
        const double radius = (sphere.radius + layer * ink.dp) * ink.matrix.length_scale();
        if (radius > 0)
            append(out, ball_surface(ink.matrix(sphere.center), {radius, radius, radius}, {0, 0, 1}, ink.dp));
    }
    return out;
}

Facets surface(const DrawEllipsoid& e, const SurfaceInk& ink) {
    const Vec3d f1 = ink.matrix(e.focus1), f2 = ink.matrix(e.focus2), along = f2 - f1;
    const double a = e.radius * ink.matrix.length_scale() / 2, c2 = dot(along, along) / 4;
    if (!(a * a > c2)) return {};
    const double b = std::sqrt(a * a - c2);
    return ball_surface(0.5 * (f1 + f2), {b, b, a}, c2 > 0 ? along : Vec3d{0, 0, 1}, ink.dp);
}

Facets surface(const DrawCylinder& cylinder, const SurfaceInk& ink) {
    Facets out;
    for (double layer : layers_or_surface(cylinder.layers.shapes)) {
        DrawCylinder c = grown(cylinder, layer * ink.dp);
        c.from = ink.matrix(c.from);
        c.to = ink.matrix(c.to);
        c.radius *= ink.matrix.length_scale();
        if (c.radius > 0) append(out, cylinder_surface(c, ink.dp));
    }
    return out;
}

Facets surface(const DrawMesh& command, const SurfaceInk& ink) {
    if (!command.polygons) return {};
    const Mesh mesh = place_mesh(read_mesh_file(ink.data_folder / command.file, command.format, ink.where),
                                 command.placement, ink.matrix);
    Facets out;
    out.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles) out.push_back({mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]});
    const Vec3d scale = command.placement.scale;
    if ((ink.mirrored() != (scale.x * scale.y * scale.z < 0)) != command.reverse) turn_over(out);
    return out;
}

Facets surface(const DrawBathymetry& bathymetry, const SurfaceInk& ink) {
    const std::string text = read_data_text(ink.data_folder / bathymetry.file, ink.where);
    Facets out;
    for (const auto& t : bathymetry_surface(text, bathymetry, ink.where)) {
        out.push_back({ink.matrix(t[0]), ink.matrix(t[1]), ink.matrix(t[2])});
        const double up = cross(t[1] - t[0], t[2] - t[0]).z;
        if ((up < 0) != ink.mirrored()) std::swap(out.back()[1], out.back()[2]);
    }
    return out;
}

template <class Other>
Facets surface(const Other&, const SurfaceInk&) {
    return {};
}

/// Where the edge from a to b has the value 0 of what is va at one end and vb at the other.
Vec3d between(const Vec3d& a, const Vec3d& b, double va, double vb) { return a + (va / (va - vb)) * (b - a); }

} // namespace

std::vector<Facet> surface_of(const GeometryAction& action, const SurfaceInk& ink) {
    return std::visit([&](const auto& command) { return surface(command, ink); }, action);
}

std::vector<Facet> clipped(const std::vector<Facet>& facets, const ClipHalfSpace& clip) {
    Facets out;
    for (const Facet& f : facets) {
        std::vector<Vec3d> kept;
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3d &a = f[i], &b = f[(i + 1) % 3];
            const double va = dot(a - clip.point, clip.normal), vb = dot(b - clip.point, clip.normal);
            if (va >= 0) kept.push_back(a);
            if ((va > 0 && vb < 0) || (va < 0 && vb > 0)) kept.push_back(between(a, b, va, vb));
        }
        for (std::size_t i = 2; i < kept.size(); ++i) out.push_back({kept[0], kept[i - 1], kept[i]});
    }
    return out;
}

std::vector<Segment> cuts_with(const std::vector<Facet>& facets, double y, double dp) {
    std::vector<Segment> out;
    for (const Facet& f : facets) {
        double off[3];
        for (std::size_t i = 0; i < 3; ++i) off[i] = std::abs(f[i].y - y) < 1e-9 * dp ? 0 : f[i].y - y;
        std::vector<Vec3d> cut;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::size_t j = (i + 1) % 3;
            if (off[i] == 0) cut.push_back(f[i]);
            if ((off[i] > 0 && off[j] < 0) || (off[i] < 0 && off[j] > 0))
                cut.push_back(between(f[i], f[j], off[i], off[j]));
        }
        if (cut.size() != 2) continue;
        for (Vec3d& p : cut) p.y = y;
        const Vec3d area = cross(f[1] - f[0], f[2] - f[0]);
        if (dot(cross(cut[1] - cut[0], Vec3d{0, 1, 0}), area) < 0) std::swap(cut[0], cut[1]);
        out.push_back({cut[0], cut[1]});
    }
    return out;
}

std::vector<Facet> strips_across(const std::vector<Facet>& facets, double y, double dp) {
    Facets out;
    const Vec3d across{0, dp, 0};
    for (const auto& [a, b] : cuts_with(facets, y, dp)) {
        out.push_back({a - across, b - across, b + across});
        out.push_back({a - across, b + across, a + across});
    }
    return out;
}

} // namespace sluice

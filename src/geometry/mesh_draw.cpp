// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_draw.h"

#include "geometry/extrude.h"
#include "geometry/flat_shapes.h"
#include <algorithm>
#include <cmath>

namespace sluice {

Mesh place_mesh(Mesh mesh, const MeshPlacement& p, const Transform& matrix) {
    const Transform turn =
        rotation(p.angles.z, {0, 0, 1}) * rotation(p.angles.x, {1, 0, 0}) * rotation(p.angles.y, {0, 1, 0});
    const Transform all =
        matrix * translation(p.move) * translation(p.center) * turn * scaling(p.scale) * translation(-1.0 * p.center);
    for (Vec3d& point : mesh.points) point = all(point);
    return mesh;
}

namespace {

/// Nodes whose depth below a triangle, against its normal, is within [least, greatest] metres.
void draw_below(Canvas& canvas, const std::array<Vec3d, 3>& t, double least, double greatest) {
    const Vec3d a = t[1] - t[0], b = t[2] - t[0];
    const Vec3d area{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    const double length = std::sqrt(dot(area, area));
    if (length == 0) return;
    const Vec3d n = (1 / length) * area;
    const Lattice& lattice = canvas.lattice();
    Vec3d low = t[0], high = t[0];
    for (const Vec3d& p : t)
        for (double depth : {least, greatest})
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = std::min(low[axis], p[axis] - depth * n[axis]);
                high[axis] = std::max(high[axis], p[axis] - depth * n[axis]);
            }
    const double slack = surface_thickness * lattice.dp();
    const IndexBox box = lattice.nearest_box(low, high);
    for (int k = box.first.z; k <= box.last.z; ++k)
        for (int j = box.first.y; j <= box.last.y; ++j)
            for (int i = box.first.x; i <= box.last.x; ++i) {
                const Vec3d p = lattice.node({i, j, k});
                const double depth = -dot(p - t[0], n);
                if (depth < least - 1e-9 || depth > greatest + 1e-9) continue;
                const Vec3d foot = p + depth * n;
                bool inside = true;
                for (int e = 0; e < 3; ++e) {
                    const Vec3d edge = t[(e + 1) % 3] - t[e], d = foot - t[e];
                    const Vec3d c{edge.y * d.z - edge.z * d.y, edge.z * d.x - edge.x * d.z,
                                  edge.x * d.y - edge.y * d.x};
                    inside = inside && dot(c, n) >= -slack * std::sqrt(dot(edge, edge));
                }
                if (inside) canvas.plot(i, j, k);
            }
}

void draw_layer(Canvas& canvas, const Mesh& mesh, const DrawMesh& command) {
    const double dp = canvas.lattice().dp();
    const double least = command.depth_min.value_or(0), greatest = command.depth_max.value_or(std::max(least, dp));
    for (const auto& t : mesh.triangles) {
        std::array<Vec3d, 3> corners{mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]};
        if (command.reverse) std::swap(corners[1], corners[2]);
        draw_below(canvas, corners, std::min(least, greatest), std::max(least, greatest));
    }
}

} // namespace

void draw_mesh(Canvas& canvas, const Mesh& mesh, const DrawMesh& command, DrawMode mode) {
    std::vector<Corner> nodes;
    nodes.reserve(mesh.points.size());
    for (const Vec3d& p : mesh.points) nodes.push_back(nearest_node(canvas.lattice(), p));
    if (command.points)
        for (std::uint32_t v : mesh.vertices) canvas.plot(nodes[v].x, nodes[v].y, nodes[v].z);
    if (command.lines)
        for (const auto& l : mesh.lines) draw_segment(canvas, nodes[l[0]], nodes[l[1]]);
    if (!command.polygons) return;
    std::vector<Triangle> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles) triangles.push_back({nodes[t[0]], nodes[t[1]], nodes[t[2]]});
    if (command.depth_min || command.depth_max)
        draw_layer(canvas, mesh, command);
    else if (mode == DrawMode::wire)
        for (const Triangle& t : triangles)
            for (int i = 0; i < 3; ++i) draw_segment(canvas, t[i], t[(i + 1) % 3]);
    else
        for (const Triangle& t : triangles) draw_triangle(canvas, t);
    if (command.autofill) draw_inside(canvas, triangles);
}

} // namespace sluice

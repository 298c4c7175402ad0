// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_draw.h"

#include "geometry/extrude.h"
#include "geometry/flat_shapes.h"
#include "geometry/mesh_depth.h"

namespace sluice {

Mesh place_mesh(Mesh mesh, const MeshPlacement& p, const Transform& matrix) {
    const Transform turn =
        rotation(p.angles.z, {0, 0, 1}) * rotation(p.angles.x, {1, 0, 0}) * rotation(p.angles.y, {0, 1, 0});
    const Transform all =
        matrix * translation(p.move) * translation(p.center) * turn * scaling(p.scale) * translation(-1.0 * p.center);
    for (Vec3d& point : mesh.points) point = all(point);
    return mesh;
}

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
    if (command.by_depth()) return draw_by_depth(canvas, mesh, command);
    if (mode == DrawMode::wire)
        for (const Triangle& t : triangles)
            for (int i = 0; i < 3; ++i) draw_segment(canvas, t[i], t[(i + 1) % 3]);
    else
        for (const Triangle& t : triangles) draw_triangle(canvas, t);
    if (command.autofill) draw_inside(canvas, triangles);
}

} // namespace sluice

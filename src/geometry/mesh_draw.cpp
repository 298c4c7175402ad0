// SPDX-License-Identifier: Apache-2.0
#include "geometry/mesh_draw.h"

#include "geometry/extrude.h"
#include "geometry/flat_shapes.h"
#include "geometry/mesh_depth.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>
#include <vector>

namespace sluice {

Mesh place_mesh(Mesh mesh, const MeshPlacement& p, const Transform& matrix) {
    const Transform turn =
        rotation(p.angles.z, {0, 0, 1}) * rotation(p.angles.x, {1, 0, 0}) * rotation(p.angles.y, {0, 1, 0});
    const Transform all =
        matrix * translation(p.move) * translation(p.center) * turn * scaling(p.scale) * translation(-1.0 * p.center);
    for (Vec3d& point : mesh.points) point = all(point);
    return mesh;
}

std::size_t open_edges(const Mesh& mesh) {
    const auto coordinates = [&](std::uint32_t i) {
        const Vec3d& p = mesh.points[i];
        return std::tuple(p.x, p.y, p.z);
    };
    std::vector<std::uint32_t> order(mesh.points.size()), place(mesh.points.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, coordinates);
    for (std::size_t k = 0; k < order.size(); ++k)
        place[order[k]] = k > 0 && coordinates(order[k]) == coordinates(order[k - 1]) ? place[order[k - 1]] : order[k];
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& t : mesh.triangles) {
        const std::array corner{place[t[0]], place[t[1]], place[t[2]]};
        if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) continue;
        for (std::size_t i = 0; i < 3; ++i) edges.push_back(std::minmax({corner[i], corner[(i + 1) % 3]}));
    }
    std::ranges::sort(edges);
    std::size_t open = 0;
    for (auto at = edges.begin(); at != edges.end();) {
        const auto end = std::find_if(at, edges.end(), [&](const auto& edge) { return edge != *at; });
        if (end - at == 1) ++open;
        at = end;
    }
    return open;
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

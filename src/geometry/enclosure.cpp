// SPDX-License-Identifier: Apache-2.0
#include "geometry/enclosure.h"

#include <algorithm>
#include <cmath>

namespace sluice {

Plane::Plane(const Vec3d& a, const Vec3d& b, const Vec3d& c) : Plane(a, cross(b - a, c - a)) {}

namespace {

/// A convex part of space, or the sheet that joins two parts of a prism.
struct Part {
    std::vector<Plane> outside; ///< a node is in if it is strictly below all of them
    std::optional<Plane> along; ///< … and nearer than the thickness to this one
    Corner first{1 << 30, 1 << 30, 1 << 30}, last{-(1 << 30), -(1 << 30), -(1 << 30)};

    void reach(const Corner& c) {
        for (int axis = 0; axis < 3; ++axis) {
            first[axis] = std::min(first[axis], c[axis] - 1);
            last[axis] = std::max(last[axis], c[axis] + 1);
        }
    }
    bool contains(const Vec3d& p, double dp) const {
        if (std::any_of(outside.begin(), outside.end(), [&](const Plane& plane) { return plane(p) >= 0; }))
            return false;
        if (!along) return true;
        return std::abs((*along)(p)) < surface_thickness * dp * norm(along->normal());
    }
};

Part figure_part(const Lattice& lattice, const DrawFaces& body, const std::vector<Corner>& nodes) {
    Part part;
    for (const auto& face : body.faces)
        for (std::size_t i = 2; i < face.size(); ++i) {
            const Plane plane(lattice.node(nodes[face[0]]), lattice.node(nodes[face[i - 1]]),
                              lattice.node(nodes[face[i]]));
            if (!plane.flat()) part.outside.push_back(plane);
        }
    for (const Corner& c : nodes) part.reach(c);
    return part;
}

/// The parts of a prism: one under each triangle of its first base, which share its second corner, between planes
/// through the edges across the base, and a sheet where two of them meet.
std::vector<Part> prism_parts(const Lattice& lattice, const std::vector<Corner>& nodes) {
    std::vector<Part> parts;
    const std::size_t n = nodes.size() / 2;
    const auto place = [&](std::size_t i) { return lattice.node(nodes[i]); };
    for (std::size_t turn = 1; turn + 1 < n; ++turn) {
        const std::size_t hub = 1, i = (hub + turn) % n, next = (hub + turn + 1) % n;
        // The normal of the first base points to the second one.
        const Plane base(place(hub), place(i), place(next)), top(place(n + hub), place(n + i), place(n + next));
        if (base.flat() || top.flat()) continue;
        Part part;
        part.outside = {Plane(place(hub), -1.0 * base.normal()), top};
        for (const std::size_t c : {hub, i, next}) {
            part.reach(nodes[c]);
            part.reach(nodes[n + c]);
        }
        Part sheet = part;
        for (const auto& [a, b] : {std::pair{hub, i}, {i, next}, {next, hub}}) {
            const Vec3d edge = place(b) - place(a);
            const Plane side(place(a), cross(edge, base.normal()));
            part.outside.push_back(side);
            if (a != next || turn + 2 == n) continue;
            sheet.along = side;
            // From node to node of the edge, both included.
            const Vec3d slack = (1e-6 * lattice.dp() / norm(edge)) * edge;
            sheet.outside.emplace_back(place(b) + slack, edge);
            sheet.outside.emplace_back(place(a) - slack, -1.0 * edge);
        }
        if (sheet.along) parts.push_back(sheet);
        parts.push_back(std::move(part));
    }
    return parts;
}

template <class Visit>
void for_enclosed(const Lattice& lattice, const DrawFaces& body, const std::vector<Corner>& nodes, Visit&& visit) {
    const std::vector<Part> parts = body.body == DrawFaces::Body::prism
                                        ? prism_parts(lattice, nodes)
                                        : std::vector<Part>{figure_part(lattice, body, nodes)};
    for (const Part& part : parts) {
        const IndexBox box = lattice.clip({part.first, part.last});
        for (int k = box.first.z; k <= box.last.z; ++k)
            for (int j = box.first.y; j <= box.last.y; ++j)
                for (int i = box.first.x; i <= box.last.x; ++i)
                    if (part.contains(lattice.node({i, j, k}), lattice.dp())) visit(i, j, k);
    }
}

} // namespace

void draw_enclosed(Canvas& canvas, const DrawFaces& body, const std::vector<Corner>& nodes) {
    for_enclosed(canvas.lattice(), body, nodes, [&](int i, int j, int k) { canvas.plot(i, j, k); });
}

ParticleGrid enclosed_by(const Lattice& lattice, const DrawFaces& body, const std::vector<Corner>& nodes) {
    ParticleGrid inside(lattice.count());
    for_enclosed(lattice, body, nodes, [&](int i, int j, int k) { inside.set(i, j, k, 1); });
    return inside;
}

} // namespace sluice

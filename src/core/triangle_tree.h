// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/extent.h"
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

// Nearest points on a surface of triangles. Lengths are metres.

namespace sluice {

/// A triangle whose normal by the right-hand rule points to the fluid.
using Facet = std::array<Vec3d, 3>;
/// Turns the other sides of facets to the front.
inline void turn_over(std::vector<Facet>& facets) {
    for (Facet& f : facets) std::swap(f[1], f[2]);
}

/// The point of a triangle nearest to `p` (Ericson, Real-Time Collision Detection, 2005, 5.1.5).
Vec3d nearest_point(const Facet& facet, const Vec3d& p);

/// A hierarchy of boxes over triangles. Triangles without an area are left out.
class TriangleTree {
public:
    explicit TriangleTree(const std::vector<Facet>& facets);

    struct Hit {
        std::uint32_t facet = 0;
        Vec3d point;
        double distance2 = 0;
    };

    std::uint32_t size() const { return static_cast<std::uint32_t>(facets_.size()); }
    const Facet& facet(std::uint32_t i) const { return facets_[i]; }
    /// Of length 1.
    const Vec3d& normal(std::uint32_t i) const { return normals_[i]; }

    /// The nearest point not farther than `reach` of the triangles for which accept(facet, point) holds; of several at
    /// the same distance that of the first triangle.
    template <class Accept>
    std::optional<Hit> nearest(const Vec3d& p, double reach, Accept&& accept) const;

    /// Calls visit(facet) for the triangles whose boxes meet a box.
    template <class Visit>
    void for_each_in(const Box& box, Visit&& visit) const;

private:
    struct Node {
        Extent extent;
        std::uint32_t begin = 0, end = 0; ///< of its triangles
        std::uint32_t right = 0;          ///< its second child, the first follows it; 0: a leaf
    };
    static constexpr std::uint32_t leaf_size = 4;

    void build(std::uint32_t begin, std::uint32_t end, std::vector<std::uint32_t>& order);
    static double distance2(const Box& box, const Vec3d& p);

    std::vector<Facet> facets_;
    std::vector<Vec3d> normals_;
    std::vector<Node> nodes_;
};

template <class Accept>
std::optional<TriangleTree::Hit> TriangleTree::nearest(const Vec3d& p, double reach, Accept&& accept) const {
    std::optional<Hit> best;
    double best2 = reach * reach;
    std::uint32_t stack[128], depth = 0;
    if (!nodes_.empty()) stack[depth++] = 0;
    while (depth) {
        const std::uint32_t at = stack[--depth];
        const Node& node = nodes_[at];
        if (distance2(node.extent, p) > best2) continue;
        if (node.right) {
            const bool left_first = distance2(nodes_[at + 1].extent, p) <= distance2(nodes_[node.right].extent, p);
            stack[depth++] = left_first ? node.right : at + 1;
            stack[depth++] = left_first ? at + 1 : node.right;
            continue;
        }
        for (std::uint32_t i = node.begin; i < node.end; ++i) {
            const Vec3d q = nearest_point(facets_[i], p);
            const double d2 = dot(p - q, p - q);
            const bool nearer = best ? d2 < best2 || (d2 == best2 && i < best->facet) : d2 <= best2;
            if (!nearer || !accept(i, q)) continue;
            best = Hit{i, q, d2};
            best2 = d2;
        }
    }
    return best;
}

template <class Visit>
void TriangleTree::for_each_in(const Box& box, Visit&& visit) const {
    std::uint32_t stack[128], depth = 0;
    if (!nodes_.empty()) stack[depth++] = 0;
    while (depth) {
        const std::uint32_t at = stack[--depth];
        const Node& node = nodes_[at];
        bool meets = true;
        for (int axis = 0; axis < 3; ++axis)
            meets = meets && node.extent.min[axis] <= box.max[axis] && node.extent.max[axis] >= box.min[axis];
        if (!meets) continue;
        if (node.right) {
            stack[depth++] = node.right;
            stack[depth++] = at + 1;
        } else {
            for (std::uint32_t i = node.begin; i < node.end; ++i) visit(i);
        }
    }
}

} // namespace sluice

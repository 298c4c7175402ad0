// SPDX-License-Identifier: Apache-2.0
#include "core/triangle_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice {

Vec3d nearest_point(const Facet& facet, const Vec3d& p) {
    const auto& [a, b, c] = facet;
    const Vec3d ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return a;
    const Vec3d bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + (d1 / (d1 - d3)) * ab;
    const Vec3d cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + (d2 / (d2 - d6)) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b);
    const double sum = va + vb + vc;
    return a + (vb / sum) * ab + (vc / sum) * ac;
}

TriangleTree::TriangleTree(const std::vector<Facet>& facets) {
    for (const Facet& f : facets) {
        const Vec3d area = cross(f[1] - f[0], f[2] - f[0]), longest = f[2] - f[1];
        const double length = norm(area);
        const double edge2 =
            std::max({dot(f[1] - f[0], f[1] - f[0]), dot(f[2] - f[0], f[2] - f[0]), dot(longest, longest)});
        if (!(length > 1e-12 * edge2)) continue;
        facets_.push_back(f);
        normals_.push_back((1 / length) * area);
    }
    if (facets_.empty()) return;
    std::vector<std::uint32_t> order(facets_.size());
    std::iota(order.begin(), order.end(), 0u);
    nodes_.reserve(facets_.size());
    build(0, size(), order);
    std::vector<Facet> sorted_facets;
    std::vector<Vec3d> sorted_normals;
    sorted_facets.reserve(order.size());
    sorted_normals.reserve(order.size());
    for (const std::uint32_t i : order) {
        sorted_facets.push_back(facets_[i]);
        sorted_normals.push_back(normals_[i]);
    }
    facets_ = std::move(sorted_facets);
    normals_ = std::move(sorted_normals);
}

/// Halves the triangles by their centres along the longest axis; which half a tie goes to, their number says.
void TriangleTree::build(std::uint32_t begin, std::uint32_t end, std::vector<std::uint32_t>& order) {
    const std::size_t at = nodes_.size();
    nodes_.push_back({{}, begin, end, 0});
    Extent extent, centers;
    const auto center = [&](std::uint32_t i) { return facets_[i][0] + facets_[i][1] + facets_[i][2]; };
    for (std::uint32_t n = begin; n < end; ++n) {
        for (const Vec3d& corner : facets_[order[n]]) extent.add(corner);
        centers.add(center(order[n]));
    }
    nodes_[at].extent = extent;
    if (end - begin <= leaf_size) return;
    const int axis = longest_axis(centers.max - centers.min);
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end,
                     [&](std::uint32_t i, std::uint32_t j) {
                         const double a = center(i)[axis], b = center(j)[axis];
                         return a < b || (a == b && i < j);
                     });
    build(begin, middle, order);
    nodes_[at].right = static_cast<std::uint32_t>(nodes_.size());
    build(middle, end, order);
}

double TriangleTree::distance2(const Box& box, const Vec3d& p) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double d = std::max({box.min[axis] - p[axis], 0.0, p[axis] - box.max[axis]});
        sum += d * d;
    }
    return sum;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "geometry/triangle_tree.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;

namespace {

class Places {
public:
    Vec3d operator()(double reach) { return {reach * at_(random_), reach * at_(random_), reach * at_(random_)}; }

private:
    std::mt19937 random_{7};
    std::uniform_real_distribution<double> at_{-1, 1};
};

} // namespace

TEST(TriangleTree, NearestPointsAreThoseOfAllTriangles) {
    Places place;
    std::vector<Facet> facets;
    for (int i = 0; i < 300; ++i) {
        const Vec3d corner = place(1);
        facets.push_back({corner, corner + place(0.2), corner + place(0.2)});
    }
    const TriangleTree tree(facets);
    ASSERT_EQ(tree.size(), 300u);
    for (int i = 0; i < 300; ++i) {
        const Vec3d p = place(1.5);
        double nearest2 = 1e300;
        for (const Facet& f : facets) {
            const Vec3d d = nearest_point(f, p) - p;
            nearest2 = std::min(nearest2, dot(d, d));
        }
        const auto any = [](std::uint32_t, const Vec3d&) { return true; };
        const auto hit = tree.nearest(p, 10, any);
        ASSERT_TRUE(hit);
        EXPECT_DOUBLE_EQ(hit->distance2, nearest2);
        EXPECT_TRUE(tree.nearest(p, std::sqrt(nearest2) * 1.0001, any));
        EXPECT_FALSE(tree.nearest(p, std::sqrt(nearest2) * 0.9999, any));
    }
}

TEST(TriangleTree, NearestPointOfATriangleIsInsideOnAnEdgeOrACorner) {
    const Facet f{Vec3d{0, 0, 0}, Vec3d{2, 0, 0}, Vec3d{0, 2, 0}};
    EXPECT_EQ(nearest_point(f, {0.5, 0.5, 3}), (Vec3d{0.5, 0.5, 0}));
    EXPECT_EQ(nearest_point(f, {1, -1, 1}), (Vec3d{1, 0, 0}));
    EXPECT_EQ(nearest_point(f, {-1, 1, 1}), (Vec3d{0, 1, 0}));
    EXPECT_EQ(nearest_point(f, {2, 2, 1}), (Vec3d{1, 1, 0}));
    EXPECT_EQ(nearest_point(f, {-1, -1, 1}), (Vec3d{0, 0, 0}));
    EXPECT_EQ(nearest_point(f, {4, -1, 0}), (Vec3d{2, 0, 0}));
    EXPECT_EQ(nearest_point(f, {-1, 4, 0}), (Vec3d{0, 2, 0}));
}

TEST(TriangleTree, LeavesOutTrianglesWithoutAnArea) {
    const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{2, 0, 0};
    EXPECT_EQ(TriangleTree({{a, b, c}, {a, a, b}, {a, b, Vec3d{0, 1, 0}}}).size(), 1u);
    EXPECT_FALSE(TriangleTree({}).nearest(a, 10, [](std::uint32_t, const Vec3d&) { return true; }));
}

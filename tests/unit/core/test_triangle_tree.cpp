// SPDX-License-Identifier: Apache-2.0
#include "core/triangle_tree.h"
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

TEST(TriangleTree, TrianglesAsFlatAsRoundingAreLeftOut) {
    // 1e-12 of the square of the longest edge, whichever that is
    const Vec3d a{0, 0, 0}, b{2, 0, 0};
    for (const double height : {1.9e-12, 2.1e-12}) {
        const Vec3d c{1, height, 0};
        for (const Facet& f : {Facet{a, b, c}, Facet{b, c, a}, Facet{c, a, b}})
            EXPECT_EQ(TriangleTree({f}).size(), height > 2e-12 ? 1u : 0u) << height;
    }
}

TEST(TriangleTree, LooksAtFewTrianglesOutsideOfABox) {
    std::vector<Facet> row; // from x = 0 to 64, half a metre each
    for (int i = 0; i < 64; ++i) {
        const double x = i;
        row.push_back({Vec3d{x, 0, 0}, Vec3d{x + 0.5, 0, 0}, Vec3d{x, 1, 0}});
    }
    const TriangleTree tree(row);
    for (int i = 0; i < 63; ++i) {
        int visited = 0;
        std::vector<double> inside;
        tree.for_each_in({{i + 0.2, 0.2, -1}, {i + 1.2, 0.3, 1}}, [&](std::uint32_t facet) {
            ++visited;
            const double x = tree.facet(facet)[0].x;
            if (x >= i && x <= i + 1) inside.push_back(x);
        });
        EXPECT_EQ(inside.size(), 2u) << i;
        EXPECT_LE(visited, 8) << "more than two leaves";
    }
    int visited = 0;
    tree.for_each_in({{0, 0, 1}, {64, 1, 2}}, [&](std::uint32_t) { ++visited; });
    EXPECT_EQ(visited, 0) << "above all";
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

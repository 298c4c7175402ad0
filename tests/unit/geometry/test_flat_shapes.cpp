// SPDX-License-Identifier: Apache-2.0
#include "geometry/enclosure.h"
#include "geometry/flat_shapes.h"
#include "geometry_case.h"
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

using namespace sluice;
using namespace sluice::test;

namespace {

struct Polygon {
    std::vector<std::array<int, 2>> corners; ///< counter-clockwise
    double area;
};

/// Concave, with ears that hold other corners; areas counted in squares.
const std::vector<Polygon> concave{
    {{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}, 3},
    {{{0, 0}, {1, 1}, {2, 0}, {1, 3}}, 2},
    {{{0, 0}, {5, 0}, {5, 3}, {4, 3}, {4, 1}, {3, 1}, {3, 3}, {2, 3}, {2, 1}, {1, 1}, {1, 3}, {0, 3}}, 11},
    {{{0, 0}, {4, 0}, {4, 4}, {1, 4}, {1, 2}, {2, 2}, {2, 3}, {3, 3}, {3, 1}, {0, 1}}, 10}};

/// Twice the area of a triangle in the plane of the axes u and v; positive counter-clockwise.
template <class T>
double turn(const std::array<Vec3<T>, 3>& t, int u, int v) {
    return double(t[1][u] - t[0][u]) * (t[2][v] - t[0][v]) - double(t[1][v] - t[0][v]) * (t[2][u] - t[0][u]);
}

/// Triangles that all go round as their polygon does cover it once if their areas sum to its area.
template <class T>
void expect_tiling(const Polygon& polygon, int w, bool backwards, std::size_t first) {
    const int u = (w + 1) % 3, v = (w + 2) % 3;
    std::vector<Vec3<T>> corners;
    for (const auto& [a, b] : polygon.corners) {
        Vec3<T> p{7, 7, 7};
        p[u] = static_cast<T>(a);
        p[v] = static_cast<T>(b);
        corners.push_back(p);
    }
    if (backwards) std::reverse(corners.begin(), corners.end());
    std::rotate(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(first), corners.end());
    const Triangles<T> triangles = triangulate(corners);
    EXPECT_EQ(triangles.size(), corners.size() - 2);
    double sum = 0;
    for (const auto& t : triangles) {
        const double area = (backwards ? -0.5 : 0.5) * turn(t, u, v);
        EXPECT_GE(area, 0);
        sum += area;
    }
    EXPECT_EQ(sum, polygon.area);
}

/// A comb: `teeth` triangles of area 1/2 on a bar from z = -1 to 0; 2 teeth + 3 corners.
std::vector<Vec3d> comb(int teeth) {
    std::vector<Vec3d> corners{{double(teeth), 0, -1}, {double(teeth), 0, 0}};
    for (int n = teeth - 1; n >= 0; --n) {
        corners.push_back({n + 0.5, 0, 1});
        corners.push_back({double(n), 0, 0});
    }
    corners.push_back({0, 0, -1});
    return corners;
}

double area_of(const Triangles<double>& triangles) {
    double sum = 0;
    for (const auto& t : triangles) sum += 0.5 * norm(cross(t[1] - t[0], t[2] - t[0]));
    return sum;
}

/// Nodes from -8 to 8 along every axis.
Lattice cube() {
    CaseDefinition definition;
    definition.dp = 1;
    definition.point_min = {-8, -8, -8};
    definition.point_max = {9, 9, 9};
    return Lattice(definition);
}

} // namespace

TEST(FlatShapes, PolygonsOfMoreThan2000CornersAreFans) {
    const int teeth = 998;
    std::vector<Vec3d> polygon = comb(teeth);
    polygon.insert(polygon.begin() + 1, {double(teeth), 0, -0.5}); // on an edge
    ASSERT_EQ(polygon.size(), 2000u);
    EXPECT_NEAR(area_of(triangulate(polygon)), 1.5 * teeth, 1e-6);
    polygon.insert(polygon.begin() + 1, {double(teeth), 0, -0.75});
    EXPECT_GT(area_of(triangulate(polygon)), 2 * teeth);
}

TEST(FlatShapes, ConcavePolygonsAreTiledFromAnyCornerInAnyPlane) {
    for (std::size_t n = 0; n < concave.size(); ++n)
        for (int w = 0; w < 3; ++w)
            for (const bool backwards : {false, true})
                for (std::size_t first = 0; first < concave[n].corners.size(); ++first) {
                    SCOPED_TRACE(testing::Message()
                                 << n << " from " << first << (backwards ? " back" : "") << ", " << w);
                    expect_tiling<int>(concave[n], w, backwards, first);
                    expect_tiling<double>(concave[n], w, backwards, first);
                }
}

TEST(FlatShapes, SmallConcavePolygonsAreTiledAsLargeOnesAre) {
    std::vector<Vec3d> corners;
    for (const auto& [a, b] : concave[1].corners) corners.push_back({1e-3 * a, 0, 1e-3 * b});
    EXPECT_NEAR(area_of(triangulate(corners)), 1e-6 * concave[1].area, 1e-12);
}

// Nodes at exactly 0.6 dp from an edge, in the plane of their triangle: triangles of the field's example 13_Pump
// (pump_moving.vtk), whose particles in GenCase 5.4.354 decide for each node.
TEST(FlatShapes, RoundNodesAtTheThicknessFromAnEdgeAsTheReferenceDoes) {
    CaseDefinition definition;
    definition.dp = 0.004;
    definition.point_ref = Vec3d{0, 0, 0};
    definition.point_min = {-0.4, -0.6, -1.1};
    definition.point_max = {0.3, 0.3, 0};
    struct Case {
        Triangle triangle;
        Corner node;
        bool drawn;
    };
    const Case cases[] = {{{{{64, 53, 116}, {66, 53, 120}, {63, 53, 116}}}, {63, 53, 117}, false},
                          {{{{66, 54, 120}, {80, 54, 109}, {63, 54, 116}}}, {63, 54, 117}, false},
                          {{{{72, 53, 118}, {73, 53, 126}, {69, 53, 123}}}, {72, 53, 126}, true},
                          {{{{78, 53, 61}, {71, 53, 61}, {75, 53, 58}}}, {74, 53, 58}, false},
                          {{{{122, 54, 123}, {110, 54, 111}, {118, 54, 126}}}, {119, 54, 126}, true},
                          {{{{118, 53, 75}, {120, 53, 61}, {124, 53, 64}}}, {121, 53, 61}, false},
                          {{{{120, 54, 61}, {110, 54, 75}, {124, 54, 64}}}, {121, 54, 61}, true},
                          {{{{124, 54, 64}, {112, 54, 77}, {127, 54, 68}}}, {127, 54, 67}, false}};
    for (const Case& c : cases) {
        Canvas canvas{definition};
        canvas.set_mk(1);
        draw_triangle(canvas, c.triangle);
        EXPECT_EQ(canvas.grid().get(c.node.x, c.node.y, c.node.z) != 0, c.drawn)
            << c.node.x << ' ' << c.node.y << ' ' << c.node.z;
    }
}

TEST(FlatShapes, ASegmentEndsAtTheLattice) {
    CaseDefinition definition;
    definition.dp = 1;
    definition.point_max = {5, 5, 5};
    Canvas canvas{definition};
    canvas.set_mk(1);
    draw_segment(canvas, {-3, 2, 2}, {9, 2, 2});
    EXPECT_EQ(canvas.drawn(), 5u);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(canvas.grid().get(i, 2, 2), 1) << i;
}

// An octahedron: the planes of its faces go on beside it, over nodes that other faces are to decide about, whichever
// corner of a triangle comes first and however they go round.
TEST(FlatShapes, EncloseWhatIsBehindTheirFaces) {
    constexpr int n = 5, shift = 8; // node 0 is index 8
    std::vector<Triangle> faces;
    for (const int x : {-n, n})
        for (const int y : {-n, n})
            for (const int z : {-n, n}) {
                const Corner middle{shift, shift, shift};
                Triangle t{middle + Corner{x, 0, 0}, middle + Corner{0, y, 0}, middle + Corner{0, 0, z}};
                if (x * y * z < 0) std::swap(t[1], t[2]); // all with the normal outwards
                faces.push_back(t);
            }
    const Lattice lattice = cube();
    for (std::size_t first = 0; first < 3; ++first)
        for (const bool backwards : {false, true}) {
            std::vector<Triangle> surface = faces;
            for (Triangle& t : surface) {
                std::rotate(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(first), t.end());
                if (backwards) std::swap(t[1], t[2]);
            }
            const ParticleGrid inside = enclosed_nodes(lattice, surface);
            int wrong = 0;
            for (int k = -8; k <= 8; ++k)
                for (int j = -8; j <= 8; ++j)
                    for (int i = -8; i <= 8; ++i) {
                        const bool enclosed = inside.get(i + shift, j + shift, k + shift) != 0;
                        const int distance = std::abs(i) + std::abs(j) + std::abs(k);
                        if (distance < n) wrong += !enclosed;
                        if (distance > n) wrong += enclosed;
                    }
            EXPECT_EQ(wrong, 0) << first << backwards;
        }
}

// Between two parts of a prism lies a sheet from corner to corner, which belongs to neither: here the diagonal of a
// base from its second corner to its fourth.
TEST(FlatShapes, APrismHasTheSheetsBetweenItsParts) {
    DrawFaces prism;
    prism.body = DrawFaces::Body::prism;
    std::vector<Corner> nodes;
    for (const int z : {3, 6})
        for (const auto& [x, y] : {std::pair{2, 2}, {6, 2}, {6, 6}, {2, 6}}) nodes.push_back({x, y, z});
    const ParticleGrid inside = enclosed_by(cube(), prism, nodes);
    std::string found;
    for (int k = 2; k <= 7; ++k)
        for (int j = 0; j <= 8; ++j)
            for (int i = 0; i <= 8; ++i)
                if (inside.get(i, j, k)) found += fmt::format("{}{}{} ", i, j, k);
    std::string expected;
    for (const int k : {4, 5})
        for (int j = 2; j <= 6; ++j)
            for (int i = 2; i <= 6; ++i)
                if ((i > 2 && i < 6 && j > 2 && j < 6) || (i + j == 8)) expected += fmt::format("{}{}{} ", i, j, k);
    EXPECT_EQ(found, expected);
}

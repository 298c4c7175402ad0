// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "core/extent.h"
#include "geometry/bathymetry.h"
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

// The surface of a sea bed from points, before it meets the lattice: see test_meshes.cpp for the rest.

using namespace sluice;

namespace {

using Surface = std::vector<std::array<Vec3d, 3>>;

/// Nodes of a grid of 1 m from (0, 0) to (4, 2), with the height x + 10 y.
std::string slope() {
    std::string points;
    for (int x = 0; x <= 4; ++x)
        for (int y = 0; y <= 2; ++y)
            points += std::to_string(x) + " " + std::to_string(y) + " " + std::to_string(x + 10 * y) + "\n";
    return points;
}

DrawBathymetry scattered() {
    DrawBathymetry b;
    b.file = "b.xyz";
    b.grid_dp = 1;
    return b;
}

DrawBathymetry grid() {
    DrawBathymetry b = scattered();
    b.file_is_grid = true;
    return b;
}

Extent bed_extent(const Surface& surface) {
    Extent extent;
    for (const auto& triangle : surface)
        for (const Vec3d& p : triangle) extent.add(p);
    return extent;
}

void expect_extent(const Surface& surface, const Vec3d& min, const Vec3d& max) {
    const Extent extent = bed_extent(surface);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(extent.min[axis], min[axis], 1e-5) << axis;
        EXPECT_NEAR(extent.max[axis], max[axis], 1e-5) << axis;
    }
}

/// The height of the node at (x, y); not a number if there is none.
double height_at(const Surface& surface, double x, double y) {
    for (const auto& triangle : surface)
        for (const Vec3d& p : triangle)
            if (std::abs(p.x - x) < 1e-5 && std::abs(p.y - y) < 1e-5) return p.z;
    return std::nan("");
}

} // namespace

TEST(Bathymetry, OfAGridHasTwoTrianglesACell) {
    const Surface surface = bathymetry_surface(slope(), grid(), {});
    EXPECT_EQ(surface.size(), 2u * 4 * 2);
    expect_extent(surface, {0, 0, 0}, {4, 2, 24});
    for (int x = 0; x <= 4; ++x)
        for (int y = 0; y <= 2; ++y) EXPECT_NEAR(height_at(surface, x, y), x + 10 * y, 1e-5);
    for (const auto& t : surface) EXPECT_NEAR(cross(t[1] - t[0], t[2] - t[0]).z, 1, 1e-5) << "upwards";
}

// First they are moved, then turned about x, y and z through the origin, and then made larger.
TEST(Bathymetry, PointsAreMovedTurnedAndScaled) {
    DrawBathymetry b = scattered();
    b.move = {1, 2, 3};
    expect_extent(bathymetry_surface(slope(), b, {}), {1, 2, 3}, {5, 4, 27});
    b = scattered();
    b.scale = {2, 3, 0.5};
    expect_extent(bathymetry_surface(slope(), b, {}), {0, 0, 0}, {8, 6, 12});
    b = grid();
    b.angles = {0, 0, 90}; // x becomes y, and y −x
    const Surface turned = bathymetry_surface(slope(), b, {});
    expect_extent(turned, {-2, 0, 0}, {0, 4, 24});
    EXPECT_NEAR(height_at(turned, 0, 4), 4, 1e-5);
    EXPECT_NEAR(height_at(turned, -2, 0), 20, 1e-5);
    b.angles = {180, 0, 0}; // upside down about x
    expect_extent(bathymetry_surface(slope(), b, {}), {0, -2, -24}, {4, 0, 0});
    b.angles = {0, 180, 0};
    expect_extent(bathymetry_surface(slope(), b, {}), {-4, 0, -24}, {0, 2, 0});
    b = grid();
    b.move = {1, 0, 0};
    b.angles = {0, 0, 90};
    b.scale = {1, 2, 1};
    expect_extent(bathymetry_surface(slope(), b, {}), {-2, 2, 0}, {0, 10, 24});
}

TEST(Bathymetry, PointsOutsideOfTheSelectionDoNotCount) {
    DrawBathymetry b = scattered();
    b.selection = {1, 0, 2, 1}; // x from 1 to 3, y from 0 to 1
    expect_extent(bathymetry_surface(slope(), b, {}), {1, 0, 1}, {3, 1, 13});
    b.selection = {0, 1, 4, 1};
    expect_extent(bathymetry_surface(slope(), b, {}), {0, 1, 10}, {4, 2, 24});
    b.selection = {7, 0, 1, 1};
    EXPECT_THROW(bathymetry_surface(slope(), b, {}), InputError);
}

// Two strips on a side, each with its width and the height at its far end, or with the height of the edge.
TEST(Bathymetry, GoesOnBeyondItsSides) {
    DrawBathymetry b = grid();
    b.xmin = {0.5, 0.25, 100, 200};
    b.xmax = {2, 0, {}, {}};
    const Surface along = bathymetry_surface(slope(), b, {});
    expect_extent(along, {-0.75, 0, 0}, {6, 2, 200});
    for (int y = 0; y <= 2; ++y) {
        EXPECT_NEAR(height_at(along, -0.5, y), 100, 1e-5);
        EXPECT_NEAR(height_at(along, -0.75, y), 200, 1e-5);
        EXPECT_NEAR(height_at(along, 6, y), 4 + 10 * y, 1e-5);
    }
    b = grid();
    b.ymin = {0.5, 0.25, -7, {}}; // the second as high as the first
    b.ymax = {3, 1, {}, 50};
    const Surface across = bathymetry_surface(slope(), b, {});
    expect_extent(across, {0, -0.75, -7}, {4, 6, 50});
    for (int x = 0; x <= 4; ++x) {
        EXPECT_NEAR(height_at(across, x, -0.5), -7, 1e-5);
        EXPECT_NEAR(height_at(across, x, -0.75), -7, 1e-5);
        EXPECT_NEAR(height_at(across, x, 5), x + 20, 1e-5);
        EXPECT_NEAR(height_at(across, x, 6), 50, 1e-5);
    }
    b = grid();
    b.xmin = {1, 0, 5, {}};
    b.ymin = {1, 0, 6, {}};
    EXPECT_NEAR(height_at(bathymetry_surface(slope(), b, {}), -1, -1), 6, 1e-5) << "y comes after x";
}

TEST(Bathymetry, IsMovedInTheEnd) {
    DrawBathymetry b = grid();
    b.final_move = {10, 20, 30};
    b.xmin = {1, 0, 5, {}};
    const Surface surface = bathymetry_surface(slope(), b, {});
    expect_extent(surface, {9, 20, 30}, {14, 22, 54});
    EXPECT_NEAR(height_at(surface, 9, 21), 35, 1e-5);
}

TEST(Bathymetry, AGridOfItsOwnMayBeAnywhere) {
    DrawBathymetry b = scattered();
    b.grid_dp = 0.5;
    b.domain = {1, 0.5, 2, 1};
    const Surface surface = bathymetry_surface(slope(), b, {});
    EXPECT_EQ(surface.size(), 2u * 4 * 2);
    // By the first and the last points less is seen: the nearest point counts, or the mean of the neighbours.
    expect_extent(surface, {1, 0.5, 1}, {3, 1.5, 17.5});
    EXPECT_NEAR(height_at(surface, 1.5, 1), 11.5, 1e-5) << "linear between the points";
    b.grid_dp = 5e-5;
    EXPECT_THROW(bathymetry_surface(slope(), b, {}), InputError) << "more nodes than memory is worth";
}

TEST(Bathymetry, WhatIsNoGridIsRefused) {
    for (const char* points :
         {"0 0 1\n1 0 1\n0 1 1\n", "0 0 1\n1 0 1\n0 1 1\n0 1 2\n", "0 0 1\n1 0 1\n2 0 1\n", "0 0 inf\n"})
        EXPECT_THROW(bathymetry_surface(points, grid(), {}), InputError) << points;
}

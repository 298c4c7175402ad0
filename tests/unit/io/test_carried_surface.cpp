// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/carried_surface.h"
#include "io/fluid/rigid_fit.h"
#include "io/surfaces/wall_surfaces.h"
#include "model/motion.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace sluice;

namespace carried_tests {
namespace {

constexpr double dp = 0.1;

/// Particles of a plate 2 m long, `layers` thick, from the origin; in 2-D one deep.
std::vector<Vec3d> plate(int layers, int deep) {
    std::vector<Vec3d> particles;
    for (int k = 0; k < layers; ++k)
        for (int j = 0; j < deep; ++j)
            for (int i = 0; i <= 20; ++i) particles.push_back({i * dp, j * dp, k * dp});
    return particles;
}

DrawnWall box(const Vec3d& low, const Vec3d& high) {
    DrawnWall wall;
    const auto corner = [&](int c) {
        return Vec3d{(c & 1 ? high : low).x, (c & 2 ? high : low).y, (c & 4 ? high : low).z};
    };
    for (const auto& [a, b, c, d] : std::initializer_list<std::array<int, 4>>{
             {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
        wall.facets.push_back({corner(a), corner(b), corner(c)});
        wall.facets.push_back({corner(a), corner(c), corner(d)});
    }
    return wall;
}

std::vector<Vec3d> moved(std::vector<Vec3d> points, const RigidMotion& motion) {
    for (Vec3d& p : points) p = motion.position_of(p);
    return points;
}

void expect_same(const RigidMotion& a, const RigidMotion& b) {
    for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
        EXPECT_NEAR(norm(a.position_of(p) - b.position_of(p)), 0, 1e-7);
}

bool is_closed(const TriangleMesh& mesh) {
    std::set<std::pair<int, int>> sides;
    for (const Vec3i& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            if (!sides.emplace(t[k], t[(k + 1) % 3]).second) return false;
    return std::all_of(sides.begin(), sides.end(), [&](const auto& s) { return sides.contains({s.second, s.first}); });
}

} // namespace

TEST(carried_surface, a_rigid_motion_is_found_from_points) {
    for (const double angle : {0.0, 0.3, 2.0, 3.1}) {
        RigidMotion motion = motion::turn_about({1, 2, 3}, normalized(Vec3d{1, -2, 0.5}), angle);
        motion.translation = motion.translation + Vec3d{10, 0.1, -3};
        for (const int layers : {1, 3}) { // a flat set of points, too
            const std::vector<Vec3d> points = plate(layers, 4);
            expect_same(fit_rigid_motion(points, moved(points, motion), false).motion, motion);
        }
    }
    const RigidMotion pitch = motion::turn_about({1, 0, 3}, {0, 1, 0}, -2.5);
    const std::vector<Vec3d> points = plate(1, 1);
    expect_same(fit_rigid_motion(points, moved(points, pitch), true).motion, pitch);
}

TEST(carried_surface, what_points_leave_open_is_not_turned) {
    const std::vector<Vec3d> line = plate(1, 1), still = plate(1, 1);
    expect_same(fit_rigid_motion(line, still, false).motion, RigidMotion{});
    RigidMotion shift;
    shift.translation = {1, 2, 3};
    const std::vector<Vec3d> one{{5, 5, 5}}, gone{{6, 7, 8}};
    expect_same(fit_rigid_motion(one, gone, false).motion, shift);
    expect_same(fit_rigid_motion({}, {}, false).motion, RigidMotion{});
    // A line that is tilted by a quarter turn about y: nothing is turned about the line.
    std::vector<Vec3d> upright;
    for (const Vec3d& p : line) upright.push_back({0, 0, p.x});
    expect_same(fit_rigid_motion(line, upright, false).motion, motion::turn_about({}, {0, 1, 0}, -std::acos(-1.0) / 2));
}

TEST(carried_surface, of_a_drawn_box_is_closed_and_keeps_its_volume_when_it_moves) {
    const SurfaceMesh mesh = mesh_of(box({0, 0, 0}, {2, 0.3, 0.2}), false);
    EXPECT_EQ(std::get<TriangleMesh>(mesh).points.size(), 8u);
    const std::vector<Vec3d> particles = plate(3, 4);
    const CarriedSurface surface(mesh, particles, dp, false);
    const RigidMotion motion = motion::turn_about({1, 2, 3}, normalized(Vec3d{1, 1, 1}), 1.1);
    const std::vector<Vec3d> places = moved(particles, motion);
    const auto at = std::get<TriangleMesh>(surface.at(places));
    EXPECT_TRUE(is_closed(at));
    EXPECT_NEAR(at.volume(), 2 * 0.3 * 0.2, 1e-9);
    ASSERT_EQ(at.points.size(), 8u);
    for (std::size_t k = 0; k < 8; ++k)
        EXPECT_NEAR(norm(at.points[k] - motion.position_of(std::get<TriangleMesh>(mesh).points[k])), 0, 1e-7);
}

TEST(carried_surface, bends_with_particles_that_bend) {
    const std::vector<Vec3d> particles = plate(3, 4);
    const CarriedSurface surface(mesh_of(box({0, 0, 0}, {2, 0.3, 0.2}), false), particles, dp, false);
    const auto bent = [](const Vec3d& p) { return Vec3d{p.x, p.y, p.z + 0.1 * p.x * p.x}; };
    std::vector<Vec3d> places;
    for (const Vec3d& p : particles) places.push_back(bent(p));
    const auto at = std::get<TriangleMesh>(surface.at(places));
    EXPECT_TRUE(is_closed(at));
    EXPECT_GT(at.points.size(), 50u);
    EXPECT_NEAR(at.volume(), 2 * 0.3 * 0.2, 0.05 * at.volume());
    double highest = 0;
    for (const Vec3d& p : at.points) {
        highest = std::max(highest, p.z);
        const double above = p.z - 0.1 * p.x * p.x;
        EXPECT_GT(above, -0.3 * dp) << p.x;
        EXPECT_LT(above, 0.2 + 0.3 * dp) << p.x;
    }
    EXPECT_NEAR(highest, 0.1 * 4 + 0.2, 0.3 * dp);
}

TEST(carried_surface, refining_halves_long_edges_and_nothing_else) {
    const auto mesh = std::get<TriangleMesh>(mesh_of(box({0, 0, 0}, {2, 0.3, 0.2}), false));
    const TriangleMesh fine = refined(mesh, 0.25);
    EXPECT_TRUE(is_closed(fine));
    EXPECT_NEAR(fine.volume(), mesh.volume(), 1e-12);
    for (const Vec3i& t : fine.triangles)
        for (int k = 0; k < 3; ++k)
            EXPECT_LE(norm(fine.points[std::size_t(t[k])] - fine.points[std::size_t(t[(k + 1) % 3])]), 0.25 + 1e-12);
    EXPECT_EQ(refined(mesh, 3).triangles.size(), 12u);
    const LineMesh line = refined(LineMesh{{{0, 0, 0}, {1, 0, 0}}, {{0, 1}}}, 0.3);
    ASSERT_EQ(line.lines.size(), 4u);
    EXPECT_NEAR(line.points[std::size_t(line.lines[1][1])].x, 0.5, 1e-12);
}

TEST(carried_surface, around_a_single_layer_of_particles_is_one_spacing_thick) {
    std::vector<Vec3d> wall;
    for (int j = 0; j < 20; ++j)
        for (int i = 0; i < 20; ++i) wall.push_back({i * dp, j * dp, 3});
    const auto mesh = std::get<TriangleMesh>(surface_around(wall, dp, false, dp / 2));
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_NEAR(mesh.volume(), 2 * 2 * dp, 0.25 * mesh.volume());
    for (const Vec3d& p : mesh.points) EXPECT_NEAR(p.z, 3, dp);
    std::vector<Vec3d> line;
    for (int i = 0; i < 20; ++i) line.push_back({i * dp, 0, 0});
    EXPECT_NEAR(std::get<LineMesh>(surface_around(line, dp, true, dp / 2)).area(), 2 * dp, 0.5 * dp);
}

TEST(carried_surface, of_a_flat_run_is_a_line_with_the_body_on_its_left) {
    // The normals' side, outside, is on the left of drawn lines.
    DrawnWall wall;
    const std::vector<Vec3d> corners{{0, 0, 0}, {0, 0, 1}, {2, 0, 1}, {2, 0, 0}};
    for (std::size_t k = 0; k < 4; ++k) wall.lines.push_back({corners[k], corners[(k + 1) % 4]});
    const auto mesh = std::get<LineMesh>(mesh_of(wall, true));
    EXPECT_EQ(mesh.points.size(), 4u);
    EXPECT_NEAR(mesh.area(), 2, 1e-12);
}

} // namespace carried_tests

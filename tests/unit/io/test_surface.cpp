// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/fluid/interpolator.h"
#include "io/surfaces/surface.h"
#include "model/derive.h"
#include "sample.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <utility>

using namespace sluice;

namespace {

constexpr double pi = std::numbers::pi;

/// The field of a function on a lattice over [−1, 1]³.
template <class Function>
LatticeField sampled(int nodes, Function&& function) {
    LatticeField field{{-1, -1, -1}, 2.0 / (nodes - 1), {nodes, nodes, nodes}, {}};
    for (int z = 0; z < nodes; ++z)
        for (int y = 0; y < nodes; ++y)
            for (int x = 0; x < nodes; ++x)
                field.value.push_back(static_cast<float>(function(field.position(x, y, z))));
    return field;
}

/// Whether each side of a triangle is the side of exactly one other triangle, which runs along it the other way.
bool is_closed(const TriangleMesh& mesh) {
    std::set<std::pair<int, int>> sides;
    for (const Vec3i& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            if (!sides.emplace(t[k], t[(k + 1) % 3]).second) return false;
    for (const auto& [from, to] : sides)
        if (!sides.contains({to, from})) return false;
    return true;
}

double length(const Vec3d& v) { return std::sqrt(dot(v, v)); }

/// A block of still water, without walls, with `side` particles along each edge.
Frame block(int side, double dp) {
    Frame frame;
    for (int k = 0; k < side; ++k)
        for (int j = 0; j < side; ++j)
            for (int i = 0; i < side; ++i) {
                frame.id.push_back(static_cast<std::uint32_t>(frame.id.size()));
                frame.position.push_back({100 + i * dp, j * dp, k * dp});
            }
    frame.velocity.assign(frame.size(), Vec3f{});
    frame.density.assign(frame.size(), 1000.f);
    frame.pressure.assign(frame.size(), 0.f);
    return frame;
}

} // namespace

TEST(surface, a_sphere_is_closed_and_has_its_volume) {
    const TriangleMesh mesh = isosurface(sampled(41, [](const Vec3d& p) { return 0.7 - length(p); }), 0);
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_NEAR(mesh.volume(), 4.0 / 3 * pi * 0.343, 0.005 * mesh.volume());
    for (const Vec3d& p : mesh.points) EXPECT_NEAR(length(p), 0.7, 2e-3);
}

TEST(surface, a_box_on_the_nodes_is_closed_and_has_its_volume) {
    // Values exactly on the level, and faces along the cubes: the ties.
    const auto depth = [](const Vec3d& p) { return 0.5 - std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}); };
    const TriangleMesh mesh = isosurface(sampled(17, depth), 0);
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_NEAR(mesh.volume(), 1, 0.01);
}

TEST(surface, rough_fields_leave_no_holes) {
    const auto noise = [](const Vec3d& p) {
        const double edge = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
        return edge > 0.95 ? -1 : std::sin(37 * p.x + 11 * p.y * p.z) * std::cos(53 * p.z - 29 * p.y);
    };
    const TriangleMesh mesh = isosurface(sampled(25, noise), 0.1);
    EXPECT_GT(mesh.triangles.size(), 1000u);
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_GT(mesh.volume(), 0) << "normals point inwards";
}

TEST(surface, nothing_above_the_level_has_no_surface) {
    EXPECT_TRUE(isosurface(sampled(5, [](const Vec3d&) { return 0.0; }), 1).triangles.empty());
    EXPECT_TRUE(isosurface(LatticeField{}, 0.5).triangles.empty());
}

TEST(surface, of_a_block_of_water_encloses_its_volume) {
    sph::Constants c;
    c.dp = 0.02;
    c.h = sph::smoothing_length(1, c.dp, false);
    c.c0 = 60;
    sph::derive(c);
    const Frame frame = block(20, c.dp);
    const TriangleMesh mesh =
        isosurface(fluid_fraction_field(frame, ParticleGroups::of(0, 1, c.mass_fluid), c, c.dp), 0.5);
    EXPECT_TRUE(is_closed(mesh));
    // The kernel rounds the edges off.
    EXPECT_NEAR(mesh.volume(), std::pow(20 * c.dp, 3), 0.03 * mesh.volume());
    EXPECT_TRUE(fluid_fraction_field(frame, ParticleGroups::of(8000, 0), c, c.dp).value.empty());
    EXPECT_THROW(fluid_fraction_field(frame, ParticleGroups::of(0, 1, c.mass_fluid), c, 1e-5), InputError);
}

TEST(surface, of_a_flat_body_is_a_closed_line_around_its_area) {
    // a disc in the plane, and a hole in it
    LatticeField field;
    field.spacing = 0.05;
    field.origin = {-2, 0.3, -2};
    field.nodes = {81, 1, 81};
    field.value.resize(81 * 81);
    for (int z = 0; z < 81; ++z)
        for (int x = 0; x < 81; ++x) {
            const Vec3d p = field.position(x, 0, z);
            const double r = std::sqrt(p.x * p.x + p.z * p.z);
            field.value[field.index(x, 0, z)] = static_cast<float>(std::min(1.5 - r, r - 0.5));
        }
    const LineMesh mesh = isoline(field, 0);
    EXPECT_NEAR(mesh.area(), pi * (1.5 * 1.5 - 0.5 * 0.5), 0.01);
    std::vector<int> begins(mesh.points.size()), ends(mesh.points.size());
    for (const auto& [a, b] : mesh.lines) {
        ++begins[std::size_t(a)];
        ++ends[std::size_t(b)];
    }
    for (std::size_t k = 0; k < mesh.points.size(); ++k) {
        EXPECT_EQ(begins[k], 1);
        EXPECT_EQ(ends[k], 1);
        EXPECT_EQ(mesh.points[k].y, 0.3);
    }
}

// A body of one node has the outermost cells around it, and nothing else.
TEST(surface, goes_through_the_outermost_cells_on_all_sides) {
    LatticeField field{{1, 2, 3}, 0.5, {3, 1, 3}, std::vector<float>(9)};
    field.value[field.index(1, 0, 1)] = 1;
    const LineMesh line = isoline(field, 0.5);
    EXPECT_EQ(line.lines.size(), 6u); // the triangles that meet in the middle
    EXPECT_NEAR(line.area(), 6 * (0.5 * 0.5 / 2) / 4, 1e-12);
    for (const Vec3d& p : line.points) EXPECT_NEAR(std::max(std::abs(p.x - 1.5), std::abs(p.z - 3.5)), 0.25, 1e-12);
    field = {{1, 2, 3}, 0.5, {3, 3, 3}, std::vector<float>(27)};
    field.value[field.index(1, 1, 1)] = 1;
    const TriangleMesh mesh = isosurface(field, 0.5);
    EXPECT_TRUE(is_closed(mesh));
    EXPECT_EQ(mesh.triangles.size(), 24u); // the tetrahedra that meet there
    EXPECT_NEAR(mesh.volume(), 24 * (0.5 * 0.5 * 0.5 / 6) / 8, 1e-12);
}

TEST(surface, of_a_flat_column_encloses_its_area) {
    const Frame frame = sample::still_frame(sample::column(0.05));
    sph::Constants c;
    c.two_d = true;
    c.dp = 0.05;
    c.h = sph::smoothing_length(1, c.dp, true);
    c.c0 = 60;
    sph::derive(c);
    EXPECT_NEAR(isoline(fluid_fraction_field(frame, ParticleGroups::of(0, 1, c.mass_fluid), c, 0.02), 0.5).area(), 2,
                0.02);
}

TEST(surface, a_frame_with_a_particle_without_volume_or_place_is_refused) {
    const ParticleGroups groups = ParticleGroups::of(0, 27);
    EXPECT_NO_THROW(require_volumes(block(3, 0.1), groups, "frame"));
    for (const float density : {0.f, -1.f, NAN, INFINITY}) {
        Frame frame = block(3, 0.1);
        frame.density[5] = density;
        try {
            require_volumes(frame, groups, "frame");
            FAIL() << density;
        } catch (const RunError& error) {
            EXPECT_EQ(std::string(error.what()).find("frame: particle 5 is at 100.2, 0.1, 0 m with a density of "), 0u)
                << error.what();
        }
    }
    Frame frame = block(3, 0.1);
    frame.position[7].z = NAN;
    EXPECT_THROW(require_volumes(frame, groups, "frame"), RunError);
}

TEST(surface, particles_are_looked_for_in_the_cells_also_from_nowhere) {
    const Frame frame = block(3, 0.1);
    const ParticleCells cells(frame.position, 0, frame.size(), 0.2, false);
    int found = 0;
    cells.for_each_near({NAN, NAN, NAN}, [&](std::uint32_t, double, const Vec3d&) { ++found; });
    cells.for_each_near({INFINITY, 1e300, -1e300}, [&](std::uint32_t, double, const Vec3d&) { ++found; });
    EXPECT_EQ(found, 0);
}

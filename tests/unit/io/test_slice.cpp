// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "geometry/mesh_file.h"
#include "io/fluid/clip.h"
#include "io/surfaces/slice.h"
#include "io/surfaces/surface.h"
#include "model/derive.h"
#include "sample.h"
#include "temporary_folder.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

using namespace sluice;

namespace slice_tests {
namespace {

sph::Constants constants_of(double dp, bool two_d) {
    sph::Constants c;
    c.two_d = two_d;
    c.dp = dp;
    c.h = sph::smoothing_length(1, dp, two_d);
    c.c0 = 60;
    sph::derive(c);
    return c;
}

constexpr int side = 20;
constexpr double dp = 0.05;

/// A cube of water with a side of 1 m from the origin, whose values go up evenly: pressure 100 z, velocity (y, 0, 2 x).
Frame cube() {
    Frame frame;
    for (int k = 0; k < side; ++k)
        for (int j = 0; j < side; ++j)
            for (int i = 0; i < side; ++i) {
                const Vec3d p{(i + 0.5) * dp, (j + 0.5) * dp, (k + 0.5) * dp};
                frame.id.push_back(static_cast<std::uint32_t>(frame.id.size()));
                frame.position.push_back(p);
                frame.pressure.push_back(static_cast<float>(100 * p.z));
                frame.velocity.push_back(vec_cast<float>(Vec3d{p.y, 0, 2 * p.x}));
            }
    frame.density.assign(frame.size(), 1000.f);
    return frame;
}

double area_of(const TriangleMesh& mesh) {
    double sum = 0;
    const auto at = [&](int k) { return mesh.points[std::size_t(k)]; };
    for (const Vec3i& t : mesh.triangles) sum += norm(cross(at(t.y) - at(t.x), at(t.z) - at(t.x))) / 2;
    return sum;
}

bool is_deep_inside(const Vec3d& p) { return std::min({p.x, p.y, p.z}) > 0.25 && std::max({p.x, p.y, p.z}) < 0.75; }

class Slice : public ::testing::Test {
protected:
    Frame frame_ = cube();
    sph::Constants constants_ = constants_of(dp, false);
    ParticleGroups groups_ = ParticleGroups::of(0, side* side* side, constants_.mass_fluid);
    FluidInterpolator fluid_{frame_, groups_, constants_};
};

} // namespace

TEST_F(Slice, of_a_cube_has_the_area_and_the_values_of_the_cut) {
    const SlicePlane plane = plane_at({0.5, 0.5, 0.3}, {0, 0, -7});
    const auto mesh = std::get<TriangleMesh>(fluid_slice(fluid_, plane, 0.03));
    EXPECT_NEAR(area_of(mesh), 1, 0.03);
    for (const Vec3f& n : normals_of(mesh)) EXPECT_NEAR(n.z, -1, 1e-6);
    const auto arrays = values_at(mesh.points, fluid_, {Field::velocity, Field::pressure}, 0);
    ASSERT_EQ(arrays.size(), 2u);
    const auto& velocity = std::get<std::vector<Vec3f>>(arrays[0].values);
    const auto& pressure = std::get<std::vector<float>>(arrays[1].values);
    int inside = 0;
    for (std::size_t k = 0; k < mesh.points.size(); ++k) {
        const Vec3d& p = mesh.points[k];
        EXPECT_NEAR(p.z, 0.3, 1e-12);
        if (!is_deep_inside(p)) continue;
        ++inside;
        EXPECT_NEAR(velocity[k].x, p.y, 0.01);
        EXPECT_NEAR(velocity[k].z, 2 * p.x, 0.01);
        EXPECT_NEAR(pressure[k], 30, 0.5);
    }
    EXPECT_GT(inside, 100);
}

TEST_F(Slice, through_three_points_lies_in_their_plane) {
    // The diagonal plane x = y: √2 by 1.
    const SlicePlane plane = plane_through({0, 0, 0}, {1, 1, 0}, {0, 0, 1});
    EXPECT_NEAR(plane.normal.x, std::sqrt(0.5), 1e-12);
    EXPECT_NEAR(plane.normal.y, -std::sqrt(0.5), 1e-12);
    const auto mesh = std::get<TriangleMesh>(fluid_slice(fluid_, plane, 0.03));
    EXPECT_NEAR(area_of(mesh), std::sqrt(2), 0.09) << "the kernel rounds the edges that it goes through";
    for (const Vec3d& p : mesh.points) EXPECT_NEAR(p.x, p.y, 1e-12);
    EXPECT_THROW(plane_through({0, 0, 0}, {1, 1, 1}, {2, 2, 2}), InputError);
    EXPECT_THROW(plane_at({}, {0, 0, 0}), InputError);
    EXPECT_TRUE(std::get<TriangleMesh>(fluid_slice(fluid_, plane_at({0, 0, 5}, {0, 0, 1}), 0.05)).points.empty());
}

TEST_F(Slice, the_surface_of_a_value_is_where_it_has_its_level) {
    const LatticeField fraction = fluid_fraction_field(frame_, groups_, constants_, dp);
    const auto flat =
        std::get<TriangleMesh>(value_surface(fraction, fluid_, {Field::pressure, FluidValue::length}, 40));
    EXPECT_NEAR(area_of(flat), 1, 0.04) << "it ends at the surface of the fluid";
    for (const Vec3d& p : flat.points)
        if (is_deep_inside(p)) {
            EXPECT_NEAR(p.z, 0.4, 0.005);
        }
    double up = 0; // the greater pressures are above: normals point down, away from them
    for (const Vec3f& n : normals_of(flat)) up += double(n.z) / double(flat.points.size());
    EXPECT_LT(up, -0.9);
    const auto upright = std::get<TriangleMesh>(value_surface(fraction, fluid_, {Field::velocity, 2}, 0.8));
    for (const Vec3d& p : upright.points)
        if (is_deep_inside(p)) {
            EXPECT_NEAR(p.x, 0.4, 0.005);
        }
    // a length: |(y, 0, 2x)| = 1 is an ellipse
    const auto round =
        std::get<TriangleMesh>(value_surface(fraction, fluid_, {Field::velocity, FluidValue::length}, 1));
    int checked = 0;
    for (const Vec3d& p : round.points)
        if (is_deep_inside(p)) {
            ++checked;
            EXPECT_NEAR(p.y * p.y + 4 * p.x * p.x, 1, 0.03);
        }
    EXPECT_GT(checked, 50);
}

TEST(slice, of_a_flat_run_is_a_line_with_the_length_of_the_cut) {
    const Frame frame = sample::still_frame(sample::column(0.05)); // 1 m wide, 2 m high
    const sph::Constants c = constants_of(0.05, true);
    const FluidInterpolator fluid(frame, ParticleGroups::of(0, 1, c.mass_fluid), c);
    const Vec3d middle = 0.5 * (frame.position.front() + frame.position.back());
    const auto length = [&](const Vec3d& normal) {
        const auto mesh = std::get<LineMesh>(fluid_slice(fluid, plane_at(middle, normal), 0.01));
        double sum = 0;
        for (const auto& [a, b] : mesh.lines) sum += norm(mesh.points[std::size_t(a)] - mesh.points[std::size_t(b)]);
        return sum;
    };
    EXPECT_NEAR(length({1, 0, 0}), 2, 0.03);
    EXPECT_NEAR(length({0, 0, 1}), 1, 0.03);
    EXPECT_THROW(length({0, 1, 0}), InputError);
    EXPECT_NEAR(area_of(fluid_area(fluid, plane_at(frame.position[0], {0, -1, 0}), 0.02)), 2, 0.03);
}

TEST(slice, a_mesh_is_cut_where_a_value_is_zero) {
    const TriangleMesh square{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}};
    const TriangleMesh part = clipped_by(square, {-0.25, 0.75, 0.75, -0.25}); // x − 1/4
    EXPECT_NEAR(area_of(part), 0.25, 1e-12);
    for (const Vec3d& p : part.points) EXPECT_LE(p.x, 0.25 + 1e-12);
    EXPECT_TRUE(clipped_by(square, {1, 1, 1, 1}).triangles.empty());
}

TEST(slice, normals_of_a_ball_point_outwards_and_nodes_without_a_value_end_it) {
    LatticeField field{{-1, -1, -1}, 0.05, {41, 41, 41}, std::vector<float>(41 * 41 * 41)};
    for (int z = 0; z < 41; ++z)
        for (int y = 0; y < 41; ++y)
            for (int x = 0; x < 41; ++x)
                field.value[field.index(x, y, z)] = static_cast<float>(0.7 - norm(field.position(x, y, z)));
    const TriangleMesh ball = isosurface(field, 0);
    const std::vector<Vec3f> normals = normals_of(ball);
    double mean = 0; // slivers where the ball passes just by a node tilt single ones
    for (std::size_t k = 0; k < normals.size(); ++k) {
        const double along = dot(vec_cast<double>(normals[k]), ball.points[k]) / norm(ball.points[k]);
        EXPECT_GT(along, 0.5);
        mean += along / double(normals.size());
    }
    EXPECT_GT(mean, 0.99);
    for (int z = 0; z < 20; ++z)
        for (int k = 0; k < 41 * 41; ++k) field.value[std::size_t(z * 41 * 41 + k)] = NAN;
    const TriangleMesh half = isosurface(field, 0);
    EXPECT_NEAR(area_of(half), area_of(ball) / 2, 0.02 * area_of(ball));
    for (const Vec3d& p : half.points) EXPECT_GE(p.z, -1e-6);
}

TEST(slice, a_ply_file_holds_the_mesh_with_normals_and_values) {
    const TemporaryFolder folder;
    const TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    const std::vector<float> pressure{5, 6, 7, 8};
    write_surface_file(folder.path() / "a.ply", SurfaceFormat::ply, mesh, {{"pressure", pressure}});
    const std::string bytes = sample::content_of(folder.path() / "a.ply");
    EXPECT_NE(bytes.find("property float nx\nproperty float ny\nproperty float nz\nproperty float pressure\n"),
              std::string::npos);
    const Mesh back = mesh_format::parse_ply(bytes);
    ASSERT_EQ(back.points.size(), 4u);
    ASSERT_EQ(back.triangles.size(), 4u);
    EXPECT_EQ(back.triangles[3], (std::array<std::uint32_t, 3>{1, 2, 3}));
    EXPECT_EQ(back.points[3].z, 1);
    // The last vertex: place, normal and pressure, 7 numbers, before 4 faces of 13 bytes.
    float number = 0;
    std::memcpy(&number, bytes.data() + bytes.size() - 4 * 13 - 4, 4);
    EXPECT_EQ(number, 8);
    write_surface_file(folder.path() / "a.stl", SurfaceFormat::stl, mesh);
    EXPECT_EQ(mesh_format::parse_stl(sample::content_of(folder.path() / "a.stl")).triangles.size(), 4u);
    EXPECT_THROW(require_format("run", SurfaceFormat::ply, true), InputError);
}

} // namespace slice_tests

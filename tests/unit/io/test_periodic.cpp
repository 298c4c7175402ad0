// SPDX-License-Identifier: Apache-2.0
// What looks at a periodic run sees across its sides.
#include "core/error.h"
#include "io/files/csv.h"
#include "io/fluid/clip.h"
#include "io/fluid/periodic_images.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_writer.h"
#include "io/measures/forces.h"
#include "io/measures/gauges.h"
#include "io/measures/measure.h"
#include "io/records/run_json.h"
#include "io/surfaces/surface.h"
#include "model/derive.h"
#include "sample.h"
#include "temporary_folder.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

constexpr double ring_dp = 0.05;
/// Between two particles, as the faces are, but far from them: there the fluid is the same.
constexpr double middle = 0.5 + ring_dp / 2;

/// 2-D, periodic in x over 1 m.
RunSetup periodic_setup() {
    RunSetup setup;
    sph::Constants& c = setup.constants;
    c.two_d = true;
    c.dp = ring_dp;
    c.h = 1.3 * ring_dp;
    c.c0 = 30;
    c.gravity = {0, 0, -9.81};
    sph::derive(c);
    setup.domain = {{ring_dp / 2, 0, -1}, {1 + ring_dp / 2, 0, 4}};
    setup.period.periodic[0] = true;
    setup.period.shift[0] = {1, 0, 0};
    return setup;
}

/// The column of sample.h, which fills the period, with the pressure linear in height.
Frame full_frame(const ParticleSet& set) {
    Frame frame = sample::still_frame(set);
    for (std::size_t i = 0; i < frame.size(); ++i)
        frame.pressure[i] = static_cast<float>(1000 * (2 - set.position[i].z));
    return frame;
}

/// An output folder with that frame.
RunSetup write_periodic_run(const std::filesystem::path& dir) {
    RunSetup setup = periodic_setup();
    const ParticleSet set = sample::column(ring_dp);
    FrameWriter(dir, set).write(full_frame(set));
    RunSummary summary;
    summary.constants = setup.constants;
    summary.domain = setup.domain;
    summary.period = setup.period;
    write_run_json(dir / "run.json", summary);
    return setup;
}

} // namespace

TEST(periodic_images, have_all_that_their_particles_have) {
    RunSetup setup;
    setup.domain = {{10, 20, 30}, {11, 22, 33}};
    setup.period.periodic[0] = setup.period.periodic[1] = true;
    setup.period.shift[0] = {1, 0, -0.25};
    setup.period.shift[1] = {0, 2, 0};
    setup.set_groups(ParticleGroups::of(1, 3));
    Frame frame;
    frame.id = {0, 1, 2, 3};
    frame.position = {{10.05, 20.05, 31}, {10.5, 21, 31}, {10.05, 21, 32}, {10.95, 20.05, 31}};
    frame.velocity = {{}, {1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    frame.density = {1, 2, 3, 4};
    frame.pressure = {5, 6, 7, 8};
    frame.position_divergence = {0, 1, 2, 3};
    add_fluid_images(frame, setup, 0.1);
    // of the boundary none, of the middle none, of the left one one, of the one in the corner three
    ASSERT_EQ(frame.size(), 8u);
    EXPECT_EQ(frame.id, (std::vector<std::uint32_t>{0, 1, 2, 3, 2, 3, 3, 3}));
    const auto has = [&](std::uint32_t id, const Vec3d& p) {
        for (std::size_t i = 4; i < frame.size(); ++i) {
            const Vec3d d = frame.position[i] - p;
            if (frame.id[i] == id && dot(d, d) < 1e-20) return true;
        }
        return false;
    };
    EXPECT_TRUE(has(2, {11.05, 21, 31.75}));
    EXPECT_TRUE(has(3, {9.95, 20.05, 31.25}));
    EXPECT_TRUE(has(3, {10.95, 22.05, 31}));
    EXPECT_TRUE(has(3, {9.95, 22.05, 31.25}));
    EXPECT_EQ(frame.velocity[4], (Vec3f{4, 5, 6}));
    EXPECT_EQ(frame.density[7], 4);
    EXPECT_EQ(frame.pressure[5], 8);
    EXPECT_EQ(frame.position_divergence[4], 2);
    EXPECT_TRUE(frame.vorticity.empty());
    EXPECT_EQ(setup.groups.fluid_begin(frame.id), 1u);
}

TEST(periodic, gauges_see_the_fluid_beyond_the_face) {
    const ParticleSet set = sample::column(ring_dp);
    const Frame frame = full_frame(set);
    RunSetup setup = periodic_setup();
    setup.set_groups(groups_of(set.blocks));
    SharedFluid fluid(setup);
    setup.period = {};
    SharedFluid walled(setup);
    const double fraction = walled.of(frame).at(Vec3d{middle, 0, 1}).fraction;
    EXPECT_NEAR(fraction, 1, 0.02);
    for (const double x : {setup.domain.min.x, middle, setup.domain.max.x}) {
        EXPECT_NEAR(fluid.of(frame).at(Vec3d{x, 0, 1}).fraction, fraction, 1e-9) << x;
        EXPECT_NEAR(fluid.of(frame).at(Vec3d{x, 0, 1}).pressure, 1000, 2) << x;
    }
    EXPECT_LT(walled.of(frame).at(Vec3d{setup.domain.min.x, 0, 1}).fraction, 0.6);
    Frame next = frame; // the same object, a step later
    for (float& p : next.pressure) p += 500;
    next.step = 1;
    EXPECT_NEAR(fluid.of(next).at(Vec3d{setup.domain.min.x, 0, 1}).pressure, 1500, 2);
}

TEST(periodic, measure_and_elevation_see_the_fluid_beyond_the_face) {
    const TemporaryFolder folder;
    const RunSetup setup = write_periodic_run(folder.path());
    MeasureJob job;
    job.dir = folder.path();
    job.points = {{setup.domain.min.x, 0, 1}, {middle, 0, 1}};
    job.out = folder.path() / "m.csv";
    measure(job);
    const std::vector<double> fraction = read_csv(job.out).numbers("fraction");
    ASSERT_EQ(fraction.size(), 2u);
    EXPECT_NEAR(fraction[0], fraction[1], 1e-6);
    job.out = folder.path() / "e.csv";
    measure_elevation(job);
    const std::vector<double> elevation = read_csv(job.out).numbers("elevation [m]");
    ASSERT_EQ(elevation.size(), 2u);
    EXPECT_NEAR(elevation[0], elevation[1], 1e-6);
}

TEST(periodic, walls_feel_the_fluid_beyond_the_face) {
    const TemporaryFolder folder;
    RunSetup setup = periodic_setup();
    ParticleSet set = sample::column(ring_dp); // on a floor of two particles: beside the face, and in the middle
    set.position.insert(set.position.begin(), {{setup.domain.min.x, 0, 0}, {middle, 0, 0}});
    set.velocity.resize(set.position.size());
    set.boundary_count = 2;
    set.blocks = {{{11, 0, ParticleType::fixed, 0, 2}, {}, {}, {}},
                  {{1, 0, ParticleType::fluid, 2, set.size() - 2}, {}, {}, {}}};
    setup.set_groups(groups_of(set.blocks));
    const Frame frame = full_frame(set);
    FrameWriter(folder.path(), set, {.fields = default_fields, .setup = setup}).write(frame);
    const std::vector<float> walls = read_frame(folder.path(), 0).wall_pressure;
    EXPECT_GT(walls[0], 1500);
    EXPECT_NEAR(walls[0], walls[1], 1e-3);
}

TEST(periodic, surfaces_end_at_the_faces) {
    const TemporaryFolder folder;
    const RunSetup setup = write_periodic_run(folder.path());
    SurfaceJob job;
    job.dir = folder.path();
    job.out = folder.path() / "s";
    ASSERT_EQ(write_surfaces(job), 1);
    const std::string file = sample::content_of(job.out / "surface_000000.vtp");
    const auto number_of = [&](const std::string& name) {
        const std::size_t at = file.find(name + "=\"") + name.size() + 2;
        return std::stoul(file.substr(at));
    };
    const std::size_t points = number_of("NumberOfPoints"), lines = number_of("NumberOfLines");
    EXPECT_EQ(points, lines + 2) << "two lines with ends: the surface and the bottom, and nothing at the faces";
    job.spacing = 0.9;
    EXPECT_THROW(write_surfaces(job), InputError);
}

TEST(periodic, force_on_the_floor_is_the_same_wherever_the_faces_are) {
    RunSetup setup = periodic_setup();
    const std::uint32_t walls = 20, fluid = 20 * 8;
    setup.set_groups(ParticleGroups::of(walls, fluid));
    const std::vector<ParticleBlock> blocks{{{1, 0, ParticleType::fixed, 0, walls}, {}, {}, {}, {}}};
    const auto force = [&](double shift) {
        Frame frame;
        for (std::uint32_t id = 0; id < walls + fluid; ++id) {
            const std::uint32_t column = id % 20, row = id / 20;
            const double bump = row == 0 ? 0 : 0.2 * ring_dp * std::sin(column * 1.7 + row);
            double x = (column + 1) * ring_dp + bump + shift;
            if (x >= setup.domain.max.x) x -= 1;
            frame.id.push_back(id);
            frame.position.push_back({x, 0, row * ring_dp});
            frame.velocity.push_back(row == 0 ? Vec3f{} : Vec3f{0.1f * static_cast<float>(column % 3), 0, -0.2f});
            frame.density.push_back(1000.f + 0.1f * static_cast<float>(column % 4 + 8 - row));
            frame.pressure.push_back(0);
        }
        add_fluid_images(frame, setup, 2 * setup.constants.h);
        return load_on_boundary(FluidInterpolator(frame, setup.groups, setup.constants), blocks).force;
    };
    const Vec3d there = force(0), elsewhere = force(0.37);
    EXPECT_GT(std::abs(there.z), 1);
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(there[axis], elsewhere[axis], 1e-6 * std::abs(there.z));
}

TEST(clip, a_closed_mesh_ends_at_the_plane) {
    LatticeField field{{-1, -1, -1}, 0.1, {21, 21, 21}, {}};
    for (int z = 0; z < 21; ++z)
        for (int y = 0; y < 21; ++y)
            for (int x = 0; x < 21; ++x) {
                const Vec3d p = field.position(x, y, z);
                field.value.push_back(static_cast<float>(0.7 - std::sqrt(dot(p, p))));
            }
    const TriangleMesh ball = isosurface(field, 0);
    const auto area = [](const TriangleMesh& mesh) {
        double sum = 0;
        for (const Vec3i& t : mesh.triangles) {
            const auto at = [&](int k) { return mesh.points[static_cast<std::size_t>(k)]; };
            const Vec3d n = cross(at(t.y) - at(t.x), at(t.z) - at(t.x));
            sum += std::sqrt(dot(n, n)) / 2;
        }
        return sum;
    };
    for (const double at : {0.25, 0.3}) { // between the nodes, and on them
        const TriangleMesh low = clipped(ball, {2, at, true}), high = clipped(ball, {2, at, false});
        EXPECT_NEAR(area(low) + area(high), area(ball), 1e-9);
        EXPECT_NEAR(area(high) / area(ball), (0.7 - at) / 1.4, 0.01); // Archimedes
        for (const Vec3d& p : low.points) EXPECT_LE(p.z, at);
        for (const Vec3d& p : high.points) EXPECT_GE(p.z, at);
        EXPECT_TRUE(std::any_of(high.points.begin(), high.points.end(), [&](const Vec3d& p) { return p.z == at; }));
    }
}

// SPDX-License-Identifier: Apache-2.0
#include "io/fluid/flow_derivatives.h"

#include "io/files/csv.h"
#include "io/frames/frame_reader.h"
#include "io/frames/frame_writer.h"
#include "io/measures/measure.h"
#include "io/records/run_json.h"
#include "model/derive.h"
#include "sample.h"
#include "temporary_folder.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace sluice;

namespace {

constexpr double spacing = 1.0 / 16;
const FieldSelection gradients{Field::pressure_gradient, Field::vx_gradient, Field::vy_gradient, Field::vz_gradient};

/// Some fluid, and values that are linear in space; places and values are exact in single precision.
struct LinearFlow {
    RunSetup setup;
    Frame frame;

    explicit LinearFlow(bool two_d) {
        setup.constants.two_d = two_d;
        setup.constants.dp = spacing;
        setup.constants.h = 1.3 * spacing;
    }
    void add(const Vec3d& p) {
        frame.id.push_back(static_cast<std::uint32_t>(frame.id.size()));
        frame.position.push_back(p);
        frame.velocity.push_back(
            vec_cast<float>(Vec3d{1 + 2 * p.x - 3 * p.z, 4 * p.x + 5 * p.z + p.y, -1 - 7 * p.z + 0.5 * p.x - 2 * p.y}));
        frame.density.push_back(1000);
        frame.pressure.push_back(static_cast<float>(512 - 64 * p.z + 16 * p.x - 8 * p.y));
        setup.set_groups(ParticleGroups::of(0, static_cast<std::uint32_t>(frame.size())));
    }
    /// A box of `nx`·`ny`·`nz` particles that are up to a quarter of their spacing from their lattice.
    void add_box(int nx, int ny, int nz) {
        std::mt19937 random(7);
        const auto coordinate = [&](int k) { return spacing * k + (int(random() % 9) - 4) * spacing / 16; };
        for (int k = 0; k < nz; ++k)
            for (int j = 0; j < ny; ++j)
                for (int i = 0; i < nx; ++i) {
                    const double x = coordinate(i), y = coordinate(j), z = coordinate(k);
                    add({x, setup.constants.two_d ? 0.5 : y, z});
                }
    }
};

void expect_near(const Vec3f& value, const Vec3d& expected, std::size_t i) {
    const double error = norm(vec_cast<double>(value) - expected);
    EXPECT_LT(error, 1e-6 * norm(expected)) << "particle " << i;
}

} // namespace

TEST(flow_derivatives, are_exact_for_linear_values_at_walls_and_surfaces) {
    for (const bool two_d : {false, true}) {
        LinearFlow flow(two_d);
        flow.add_box(7, two_d ? 1 : 6, 5); // no particle has all neighbours of a full lattice along each axis
        add_flow_derivatives(flow.frame, flow.setup, gradients, 1);
        const double y = two_d ? 0 : 1; // there is no derivative across the plane
        for (std::size_t i = 0; i < flow.frame.size(); ++i) {
            expect_near(flow.frame.pressure_gradient[i], {16, -8 * y, -64}, i);
            expect_near(flow.frame.vx_gradient[i], {2, 0, -3}, i);
            expect_near(flow.frame.vy_gradient[i], {4, y, 5}, i);
            expect_near(flow.frame.vz_gradient[i], {0.5, -2 * y, -7}, i);
        }
    }
}

TEST(flow_derivatives, do_not_exist_where_the_neighbours_do_not_span_space) {
    LinearFlow line(true); // a row along the diagonal, as single precision rounds it
    for (int k = 0; k < 20; ++k) line.add({double(float(1.1 + 0.07 * k)), 0, double(float(0.9 + 0.03 * k))});
    LinearFlow sheet(false);
    for (int k = 0; k < 36; ++k)
        sheet.add({spacing * (k % 6), spacing * (k / 6), double(float(0.3 * spacing * (k % 6)))});
    LinearFlow drop(false);
    drop.add({0, 0, 0});
    for (LinearFlow* flow : {&line, &sheet, &drop}) {
        add_flow_derivatives(flow->frame, flow->setup, gradients, 1);
        for (std::size_t i = 0; i < flow->frame.size(); ++i)
            EXPECT_TRUE(std::isnan(flow->frame.pressure_gradient[i].x) && std::isnan(flow->frame.vz_gradient[i].z));
    }
}

TEST(flow_derivatives, come_from_the_fluid_alone_and_only_where_they_are_wanted) {
    LinearFlow flow(true);
    flow.add_box(8, 1, 6);
    flow.setup.set_groups(ParticleGroups::of(16, 32));
    for (std::size_t i = 0; i < 16; ++i) flow.frame.pressure[i] = 1e9f; // of the boundary
    add_flow_derivatives(flow.frame, flow.setup, {Field::pressure_gradient, Field::vorticity}, 1);
    for (std::size_t i = 0; i < flow.frame.size(); ++i)
        if (i < 16)
            EXPECT_TRUE(std::isnan(flow.frame.pressure_gradient[i].x));
        else
            expect_near(flow.frame.pressure_gradient[i], {16, 0, -64}, i);
    EXPECT_TRUE(flow.frame.vx_gradient.empty() && flow.frame.vorticity.empty());
}

TEST(flow_derivatives, are_the_same_for_each_number_of_threads) {
    LinearFlow flow(false);
    flow.add_box(9, 8, 7);
    for (std::size_t i = 0; i < flow.frame.size(); ++i) flow.frame.pressure[i] = std::sin(float(i));
    const Frame one = flow_derivatives(flow.frame, flow.setup, gradients, 1);
    const Frame three = flow_derivatives(flow.frame, flow.setup, gradients, 3);
    const std::size_t bytes = one.pressure_gradient.size() * sizeof(Vec3f);
    EXPECT_EQ(std::memcmp(one.pressure_gradient.data(), three.pressure_gradient.data(), bytes), 0);
    EXPECT_EQ(std::memcmp(one.vz_gradient.data(), three.vz_gradient.data(), bytes), 0);
}

TEST(flow_derivatives, see_across_periodic_sides) {
    LinearFlow flow(true);
    for (int k = 0; k < 5; ++k)
        for (int i = 0; i < 4; ++i) {
            flow.add({spacing * (i + 0.5), 0, spacing * k});
            flow.frame.pressure.back() = i % 2 ? 1 : 0; // the same on both sides of each particle
        }
    flow.setup.domain = {{0, 0, -1}, {4 * spacing, 0, 1}};
    flow.setup.period.periodic[0] = true;
    flow.setup.period.shift[0] = {4 * spacing, 0, 0};
    const std::size_t size = flow.frame.size();
    add_flow_derivatives(flow.frame, flow.setup, gradients, 1);
    ASSERT_EQ(flow.frame.pressure_gradient.size(), size);
    for (const Vec3f& g : flow.frame.pressure_gradient) EXPECT_NEAR(g.x, 0, 1e-9);
}

TEST(flow_derivatives, are_stored_and_measured_alike) {
    const TemporaryFolder folder;
    const ParticleSet set = sample::column(0.02);
    RunSetup setup;
    setup.constants.two_d = true;
    setup.constants.dp = 0.02;
    setup.constants.h = sph::smoothing_length(1, 0.02, true);
    setup.constants.gravity = {0, 0, -9.81};
    setup.constants.c0 = 40;
    sph::derive(setup.constants);
    RunSummary summary;
    summary.constants = setup.constants;
    setup.groups = groups_of(set.blocks);
    Frame frame = sample::still_frame(set);
    for (std::size_t i = 0; i < frame.size(); ++i) {
        frame.pressure[i] = float(-3000 * set.position[i].z);
        frame.velocity[i] = {0, 0, float(set.position[i].x)};
    }
    const auto measured = [&](const char* name, const FrameOptions& options) {
        const std::filesystem::path dir = folder.path() / name;
        FrameWriter(dir, set, options).write(frame);
        write_run_json(dir / "run.json", summary);
        MeasureJob job;
        job.dir = dir;
        job.points = {{0.4, 0, 0.7}, {0.99, 0, 1.99}};
        job.out = folder.path() / "p.csv";
        job.fields = {Field::pressure_gradient, Field::vz_gradient};
        measure(job);
        return read_csv(job.out);
    };
    const CsvTable later = measured("plain", {}),
                   stored = measured("stored", {.fields = state_fields | gradients, .setup = setup});
    for (const CsvTable* table : {&later, &stored}) {
        EXPECT_TRUE(table->numbers("pressure [Pa]").empty());
        for (const double value : table->numbers("dp_dz [Pa/m]")) EXPECT_NEAR(value, -3000, 0.5);
        for (const double value : table->numbers("dvz_dx [1/s]")) EXPECT_NEAR(value, 1, 1e-4);
        EXPECT_EQ(table->numbers("dvz_dz [1/s]").size(), 2u);
    }
    const Frame read = read_frame(folder.path() / "stored", 0);
    EXPECT_EQ(read.vy_gradient.size(), read.size());
}

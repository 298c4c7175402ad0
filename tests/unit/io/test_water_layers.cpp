// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/csv.h"
#include "io/frames/frame_writer.h"
#include "io/measures/measure.h"
#include "io/measures/water_layers.h"
#include "io/records/run_json.h"
#include "model/derive.h"
#include "sample.h"
#include "temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

constexpr double jet_dp = 0.02;

sph::Constants jet_constants() {
    sph::Constants c;
    c.two_d = true;
    c.dp = jet_dp;
    c.h = sph::smoothing_length(1, jet_dp, true);
    c.c0 = 60;
    c.gravity = {0, 0, -9.81};
    sph::derive(c);
    return c;
}

/// Water from z = 0 to 0.4 m, air, and a jet from 0.8 to 1 m over x = 0.5 to 1 m; particles in the middle of cells.
ParticleSet jet() {
    ParticleSet set;
    set.dp = jet_dp;
    set.two_d = true;
    for (int k = 0; k < 50; ++k)
        for (int i = 0; i < 50; ++i)
            if (k < 20 || (k >= 40 && i >= 25)) set.position.push_back({(i + 0.5) * jet_dp, 0, (k + 0.5) * jet_dp});
    set.velocity.assign(set.position.size(), Vec3f{});
    set.blocks = {{{1, 0, ParticleType::fluid, 0, set.size()}, {}, {}, {}}};
    return set;
}

} // namespace

TEST(water_layers, are_the_water_and_the_jet_over_it) {
    const Frame frame = sample::still_frame(jet());
    const FluidInterpolator fluid(frame, ParticleGroups::of(0, 1, jet_constants().mass_fluid), jet_constants());
    const auto layers = water_layers({0.75, 7, -0.2}, 1.3, fluid);
    ASSERT_EQ(layers.size(), 2u);
    const double expected[] = {0, 0.4, 0.8, 1},
                 found[] = {layers[0].lower, layers[0].upper, layers[1].lower, layers[1].upper};
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(found[k], expected[k], 0.1 * jet_dp) << k;
    EXPECT_NEAR(total_height(layers), 0.6, 0.2 * jet_dp);
    EXPECT_EQ(water_layers({0.2, 0, -0.2}, 1.3, fluid).size(), 1u);
    EXPECT_TRUE(water_layers({3, 0, -0.2}, 1.3, fluid).empty());
}

TEST(water_layers, end_with_the_vertical) {
    const Frame frame = sample::still_frame(jet());
    const FluidInterpolator fluid(frame, ParticleGroups::of(0, 1, jet_constants().mass_fluid), jet_constants());
    const auto layers = water_layers({0.75, 0, 0.1}, 0.9, fluid);
    ASSERT_EQ(layers.size(), 2u);
    EXPECT_EQ(layers[0].lower, 0.1);
    EXPECT_EQ(layers[1].upper, 0.9);
}

TEST(water_layers, are_further_columns_of_elevations) {
    const TemporaryFolder folder;
    const ParticleSet set = jet();
    FrameWriter(folder.path(), set).write(sample::still_frame(set));
    RunSummary summary;
    summary.constants = jet_constants();
    write_run_json(folder.path() / "run.json", summary);
    MeasureJob job;
    job.dir = folder.path();
    job.points = {{0.2, 0, 0}, {0.75, 0, 0}, {3, 0, 0}};
    job.out = folder.path() / "e.csv";
    measure_elevation(job);
    const std::vector<std::string> usual{"time [s]", "frame", "point", "x [m]", "y [m]", "elevation [m]"};
    EXPECT_EQ(read_csv(job.out).columns, usual);
    measure_elevation(job, {.depth = true, .layers = 2});
    const CsvTable table = read_csv(job.out);
    const auto at = [&](const char* column) { return table.numbers(column); };
    ASSERT_EQ(table.columns.size(), usual.size() + 1 + 2 + 4);
    EXPECT_NEAR(at("depth [m]").at(0), 0.4, 0.2 * jet_dp);
    EXPECT_NEAR(at("depth [m]").at(1), 0.6, 0.2 * jet_dp);
    EXPECT_EQ(at("depth [m]").at(2), 0);
    EXPECT_EQ(at("layers"), (std::vector<double>{1, 2, 0}));
    EXPECT_NEAR(at("highest [m]").at(0), 0.4, 0.1 * jet_dp);
    EXPECT_NEAR(at("highest [m]").at(1), 1, 0.1 * jet_dp);
    EXPECT_NEAR(at("elevation [m]").at(1), 0.4, 0.5 * jet_dp);
    EXPECT_TRUE(std::isnan(at("lower_2 [m]").at(0)));
    EXPECT_NEAR(at("lower_2 [m]").at(1), 0.8, 0.1 * jet_dp);
    EXPECT_NEAR(at("upper_2 [m]").at(1), 1, 0.1 * jet_dp);
}

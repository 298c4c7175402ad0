// SPDX-License-Identifier: Apache-2.0
#include "core/error.h"
#include "io/files/csv.h"
#include "io/frames/frame_writer.h"
#include "io/records/run_json.h"
#include "io/water/runup.h"
#include "model/derive.h"
#include "sample.h"
#include "temporary_folder.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

constexpr double beach_dp = 0.02;

sph::Constants beach_constants() {
    sph::Constants c;
    c.two_d = true;
    c.dp = beach_dp;
    c.h = sph::smoothing_length(1, beach_dp, true);
    c.c0 = 60;
    c.gravity = {0, 0, -9.81};
    sph::derive(c);
    return c;
}

/// Still water up to z = 0.5 m before a slope of 1:2, with a drop of one particle up the slope and a splash of nine
/// farther up.
ParticleSet beach() {
    ParticleSet set;
    set.dp = beach_dp;
    set.two_d = true;
    for (int k = 0; k < 25; ++k)
        for (int i = -20; i < 50; ++i)
            if (const Vec3d p{(i + 0.5) * beach_dp, 0, (k + 0.5) * beach_dp}; p.z > p.x / 2 + beach_dp / 2)
                set.position.push_back(p);
    set.position.push_back({1.2, 0, 0.62});
    for (int k = 0; k < 9; ++k) set.position.push_back({1.5 + (k % 3) * beach_dp, 0, 0.78 + (k / 3) * beach_dp});
    set.velocity.assign(set.position.size(), Vec3f{});
    set.blocks = {{{1, 0, ParticleType::fluid, 0, set.size()}, {}, {}, {}}};
    return set;
}

const SlopeLine slope{{0, 0, 0}, {2, 0, 1}};

} // namespace

TEST(runup, ends_with_the_water_and_not_with_spray) {
    const Frame frame = sample::still_frame(beach());
    const FluidInterpolator fluid(frame, ParticleGroups::of(0, 1, beach_constants().mass_fluid), beach_constants());
    const auto end = find_runup({.line = slope}, fluid);
    ASSERT_TRUE(end);
    EXPECT_NEAR(end->place.z, 0.5, 1.5 * beach_dp);
    EXPECT_NEAR(end->place.x, 2 * end->place.z, 1e-12);
    EXPECT_NEAR(end->along, std::sqrt(5) * end->place.z, 1e-12);
    // the line begins on dry land: there is the splash alone
    const auto splash = find_runup({.line = SlopeLine{{1.3, 0, 0.65}, {2, 0, 1}}}, fluid);
    ASSERT_TRUE(splash);
    EXPECT_NEAR(splash->place.x, 1.54, 2 * beach_dp);
    EXPECT_FALSE(find_runup({.line = SlopeLine{{1.7, 0, 0.85}, {2, 0, 1}}}, fluid));
}

TEST(runup, in_a_box_is_the_highest_wet_place) {
    const Frame frame = sample::still_frame(beach());
    const FluidInterpolator fluid(frame, ParticleGroups::of(0, 1, beach_constants().mass_fluid), beach_constants());
    const Box with_drop{{-1, 5, 0}, {1.3, 6, 2}}, with_splash{{-1, 5, 0}, {2, 6, 2}};
    EXPECT_NEAR(find_runup({.box = with_drop}, fluid)->place.z, 0.49, 1e-12) << "a drop alone does not count";
    EXPECT_NEAR(find_runup({.box = with_drop, .least_fraction = 0}, fluid)->place.z, 0.62, 1e-12);
    EXPECT_NEAR(find_runup({.box = with_splash}, fluid)->place.z, 0.82, 1e-12);
    EXPECT_FALSE(find_runup({.box = Box{{5, 0, 0}, {6, 1, 1}}}, fluid));
}

TEST(runup, is_a_table_with_heights_over_still_water) {
    const TemporaryFolder folder;
    const ParticleSet set = beach();
    FrameWriter(folder.path(), set).write(sample::still_frame(set));
    RunSummary summary;
    summary.constants = beach_constants();
    write_run_json(folder.path() / "run.json", summary);
    RunupJob job;
    job.dir = folder.path();
    job.place.line = slope;
    job.still_level = 0.3;
    job.out = folder.path() / "runup.csv";
    const double largest = write_runup(job);
    EXPECT_NEAR(largest, 0.2, 1.5 * beach_dp);
    const CsvTable table = read_csv(job.out);
    EXPECT_NEAR(table.numbers("runup [m]").at(0), largest, 1e-9);
    EXPECT_NEAR(table.numbers("z [m]").at(0), largest + 0.3, 1e-8);
    job.place.line = SlopeLine{{1.7, 0, 0.85}, {2, 0, 1}};
    EXPECT_TRUE(std::isnan(write_runup(job)));
    job.place.line = SlopeLine{{1, 0, 1}, {1, 5, 1}};
    EXPECT_THROW(write_runup(job), InputError) << "it has no length in the plane of the run";
    job.place.line.reset();
    EXPECT_THROW(write_runup(job), InputError);
}

// SPDX-License-Identifier: Apache-2.0
#include "io/gauges.h"
#include "sample.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>

using namespace sluice;

namespace {

constexpr double dp = 0.01;

RunSetup setup() {
    RunSetup setup;
    setup.constants.two_d = true;
    setup.constants.kernel = sph::KernelType::wendland;
    setup.constants.dp = dp;
    setup.constants.h = dp * std::sqrt(2.0);
    setup.constants.mass_fluid = 1000 * dp * dp;
    setup.boundary_count = 0;
    return setup;
}

SwlGauge gauge(Vec3d from, Vec3d to, double limit = 0.4) {
    SwlGauge gauge;
    gauge.name = "line";
    gauge.point0 = from;
    gauge.point2 = to;
    gauge.point_spacing = dp / 2;
    gauge.mass_limit = limit;
    return gauge;
}

const SwlGauge up = gauge({0.2, 0, -0.05}, {0.2, 0, 2.1}), right = gauge({-0.05, 0, 0.03}, {4.05, 0, 0.03});

} // namespace

TEST(gauges, agree_with_the_reference_solver_on_the_still_column) {
    const Frame frame = sample::still_frame(sample::column(dp));
    EXPECT_NEAR(find_surface(up, frame, setup())->z, 2.00691, 2e-4);
    EXPECT_NEAR(find_surface(right, frame, setup())->x, 1.00689, 2e-4);
}

TEST(gauges, half_of_the_volume_is_half_a_spacing_above_the_last_particles) {
    const Frame frame = sample::still_frame(sample::column(dp));
    EXPECT_NEAR(find_surface(gauge(up.point0, up.point2, 0.5), frame, setup())->z, 2.005, 1e-4);
}

TEST(gauges, take_the_body_of_water_and_not_the_spray) {
    ParticleSet set = sample::column(dp);
    for (int i = 0; i < 6; ++i)
        for (int k = 0; k < 6; ++k) set.position.push_back({0.17 + i * dp, 0, 2.05 + k * dp});
    set.velocity.resize(set.position.size());
    EXPECT_NEAR(find_surface(up, sample::still_frame(set), setup())->z, 2.007, 1e-3);
}

TEST(gauges, a_line_inside_the_fluid_gives_its_end_and_a_dry_one_nothing) {
    const Frame frame = sample::still_frame(sample::column(dp));
    const Vec3d inside{0.2, 0, 1.5};
    EXPECT_EQ(find_surface(gauge({0.2, 0, 0.5}, inside), frame, setup()), inside);
    EXPECT_EQ(find_surface(gauge({3, 0, 0}, {3, 0, 2}), frame, setup()), std::nullopt);
}

TEST(gauges, boundary_particles_do_not_count) {
    const Frame frame = sample::still_frame(sample::column(dp));
    RunSetup all_boundary = setup();
    all_boundary.boundary_count = static_cast<std::uint32_t>(frame.size());
    EXPECT_EQ(find_surface(up, frame, all_boundary), std::nullopt);
}

TEST(gauges, the_sampler_writes_a_series) {
    const sample::TemporaryFolder folder;
    SwlGauge timed = up;
    timed.output_dt = 0.02;
    SwlGaugeSampler sampler(folder.path(), timed, setup());
    Frame frame = sample::still_frame(sample::column(dp));
    sampler.sample(frame);
    EXPECT_GT(sampler.next_time(), 0.0);
    std::ifstream file(folder.path() / "gauges" / "line.csv");
    std::string line, last;
    while (std::getline(file, line)) {
        if (line[0] != '#' && line[0] != 't') last = line;
    }
    EXPECT_EQ(last.substr(0, 11), "0,0.2,0,2.0") << last;
}

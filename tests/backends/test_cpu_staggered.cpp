// SPDX-License-Identifier: Apache-2.0
#include "backends/staggered_steps.h"
#include "backends/way_test.h"

// Staggered steps, on the CPU in every way of running.

using namespace sluice;

namespace {

class StaggeredWays : public cpu_ways::WayTest {};
class StaggeredAsymmetricWays : public cpu_ways::WayTest {};

} // namespace

TEST_P(StaggeredWays, FollowTheOracle) {
    staggered::expect_oracle_steps([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(StaggeredAsymmetricWays, AreBitwiseTheSameForAnyNumberOfThreadsAndWhenResumed) {
    for (const staggered::Named& start : staggered::all_clouds({9, 5, 5})) {
        SCOPED_TRACE(start.name);
        expect_same_bits(start.cloud, 20, 7);
    }
}

/// The rates that the pairs of a run have are those of its two parts together.
TEST_P(StaggeredWays, RatesAreTheOracles) {
    const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas,
                                sph::Integrator::staggered};
    const clouds::Cloud cloud = clouds::make_cloud(choice, {9, 5, 5});
    const auto backend = make(cloud);
    const RateErrors errors = rate_errors(*backend, cloud);
    EXPECT_LT(errors.acceleration, 1e-5);
    EXPECT_LT(errors.density, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Cpu, StaggeredWays, testing::ValuesIn(cpu_ways::paired_ways()), cpu_ways::way_test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, StaggeredAsymmetricWays, testing::ValuesIn(cpu_ways::same_for_any_threads()),
                         cpu_ways::way_test_name);

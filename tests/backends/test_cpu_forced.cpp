// SPDX-License-Identifier: Apache-2.0
#include "backends/forced_fluid.h"
#include "backends/way_test.h"

// Damping zones and acceleration inputs, on the CPU in every way of running.

using namespace sluice;

namespace {

class ForcedWays : public cpu_ways::WayTest {};
class ForcedAsymmetricWays : public cpu_ways::WayTest {};

} // namespace

TEST_P(ForcedWays, StepsFollowTheOracle) {
    forced::expect_oracle_steps([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(ForcedWays, RatesAreTheOracles) {
    const clouds::Cloud cloud = forced::forced_cloud(clouds::make_cloud({}, {9, 5, 5}));
    const auto backend = make(cloud);
    EXPECT_LT(rate_errors(*backend, cloud).acceleration, 1e-5);
}

TEST_P(ForcedAsymmetricWays, AreBitwiseTheSameForAnyNumberOfThreadsAndWhenResumed) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
        expect_same_bits(forced::forced_cloud(clouds::make_cloud(choice, {9, 5, 5})), 40, 17);
        expect_same_bits(forced::accelerated_cloud(clouds::make_cloud(choice, {9, 5, 5})), 40, 17);
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, ForcedWays, testing::ValuesIn(cpu_ways::paired_ways()), cpu_ways::way_test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, ForcedAsymmetricWays, testing::ValuesIn(cpu_ways::same_for_any_threads()),
                         cpu_ways::way_test_name);

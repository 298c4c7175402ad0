// SPDX-License-Identifier: Apache-2.0
#include "backends/fluid_passes.h"
#include "backends/way_test.h"

// The sub-particle-scale model, particle shifting and renormalised density diffusion, on the CPU in every way of
// running.

using namespace sluice;

namespace {

class PassWays : public cpu_ways::WayTest {};
class PassAsymmetricWays : public cpu_ways::WayTest {};

} // namespace

TEST_P(PassWays, StepsFollowTheOracle) {
    passes::expect_oracle_steps([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(PassWays, GeneralisedNewtonianFluidsFollowTheOracle) {
    passes::expect_oracle_steps([](const clouds::Cloud& cloud) { return make(cloud); }, passes::thick_courses());
}

TEST_P(PassWays, SurfaceTensionFollowsTheOracle) {
    passes::expect_oracle_steps([](const clouds::Cloud& cloud) { return make(cloud); }, passes::tense_courses());
}

TEST_P(PassAsymmetricWays, AreBitwiseTheSameForAnyNumberOfThreadsAndWhenResumed) {
    for (const clouds::Cloud& cloud : passes::clouds_to_resume({9, 5, 5})) expect_same_bits(cloud, 20, 7);
    for (const auto& [name, cloud] : passes::thick_clouds({9, 5, 5})) expect_same_bits(cloud, 20, 7);
    for (const auto& [name, cloud] : passes::tense_clouds({9, 5, 5})) expect_same_bits(cloud, 20, 7);
}

INSTANTIATE_TEST_SUITE_P(Cpu, PassWays, testing::ValuesIn(cpu_ways::paired_ways()), cpu_ways::way_test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, PassAsymmetricWays, testing::ValuesIn(cpu_ways::same_for_any_threads()),
                         cpu_ways::way_test_name);

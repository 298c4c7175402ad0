// SPDX-License-Identifier: Apache-2.0
#include "backends/extrapolated_walls.h"
#include "backends/way_test.h"

// Walls with extrapolated density, on the CPU in every way of running.

using namespace sluice;

namespace {

class WallWays : public cpu_ways::WayTest {};
class WallAsymmetricWays : public cpu_ways::WayTest {};

} // namespace

TEST_P(WallWays, StepsFollowTheOracle) {
    extrapolated::expect_oracle_steps([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(WallWays, RatesStayTheOraclesWhereverTheWallsGo) {
    extrapolated::expect_oracle_rates_on_the_way([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(WallAsymmetricWays, AreBitwiseTheSameForAnyNumberOfThreadsAndWhenResumed) {
    for (const clouds::Cloud& cloud : extrapolated::clouds_to_resume({9, 5, 5})) expect_same_bits(cloud, 40, 17);
}

INSTANTIATE_TEST_SUITE_P(Cpu, WallWays, testing::ValuesIn(cpu_ways::paired_ways()), cpu_ways::way_test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, WallAsymmetricWays, testing::ValuesIn(cpu_ways::same_for_any_threads()),
                         cpu_ways::way_test_name);

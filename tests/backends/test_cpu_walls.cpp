// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu_ways.h"
#include "backends/extrapolated_walls.h"
#include "test_name.h"

// Walls with extrapolated density, on the CPU in every way of running.

using namespace sluice;
using cpu_ways::Way;

namespace {

class WallWays : public testing::TestWithParam<Way> {
protected:
    static std::unique_ptr<Backend> make(const clouds::Cloud& cloud, int threads = 2) {
        auto backend = GetParam().make(cloud, threads);
        backend->set_state(cloud.state);
        return backend;
    }
};
class WallAsymmetricWays : public WallWays {};

std::string test_name(const testing::TestParamInfo<Way>& tested) { return as_test_name(tested.param.name()); }

} // namespace

TEST_P(WallWays, StepsFollowTheOracle) {
    extrapolated::expect_oracle_steps([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(WallWays, RatesStayTheOraclesWhereverTheWallsGo) {
    extrapolated::expect_oracle_rates_on_the_way([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(WallAsymmetricWays, AreBitwiseTheSameForAnyNumberOfThreadsAndWhenResumed) {
    for (const clouds::Cloud& cloud : extrapolated::clouds_to_resume({9, 5, 5})) {
        const auto run = [&](int threads, int stop) {
            const auto first = make(cloud, threads);
            take_steps(*first, stop);
            clouds::Cloud later = cloud;
            later.state = first->state();
            const auto second = make(later, threads);
            take_steps(*second, 40 - stop);
            return second->state();
        };
        const ParticleState one = run(1, 0);
        EXPECT_TRUE(bitwise_equal(one, run(3, 0)));
        EXPECT_TRUE(bitwise_equal(one, run(2, 17)));
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, WallWays, testing::ValuesIn(cpu_ways::all_ways()), test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, WallAsymmetricWays,
                         testing::ValuesIn(cpu_ways::all_ways({CpuMode::asymmetric, CpuMode::symmetric})), test_name);

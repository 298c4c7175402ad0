// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu_ways.h"
#include "backends/fluid_passes.h"
#include "test_name.h"

// The sub-particle-scale model and particle shifting, on the CPU in every way of running.

using namespace sluice;
using cpu_ways::Way;

namespace {

class PassWays : public testing::TestWithParam<Way> {
protected:
    static std::unique_ptr<Backend> make(const clouds::Cloud& cloud, int threads = 2) {
        auto backend = GetParam().make(cloud, threads);
        backend->set_state(cloud.state);
        return backend;
    }
};
class PassAsymmetricWays : public PassWays {};

std::string test_name(const testing::TestParamInfo<Way>& tested) { return as_test_name(tested.param.name()); }

} // namespace

TEST_P(PassWays, StepsFollowTheOracle) {
    passes::expect_oracle_steps([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(PassAsymmetricWays, AreBitwiseTheSameForAnyNumberOfThreadsAndWhenResumed) {
    for (const clouds::Cloud& cloud : passes::clouds_to_resume({9, 5, 5})) {
        const auto run = [&](int threads, int stop) {
            const auto first = make(cloud, threads);
            take_steps(*first, stop);
            clouds::Cloud later = cloud;
            later.state = first->state();
            const auto second = make(later, threads);
            take_steps(*second, 20 - stop);
            return second->state();
        };
        const ParticleState one = run(1, 0);
        EXPECT_TRUE(bitwise_equal(one, run(3, 0)));
        EXPECT_TRUE(bitwise_equal(one, run(2, 7)));
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, PassWays, testing::ValuesIn(cpu_ways::all_ways()), test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, PassAsymmetricWays,
                         testing::ValuesIn(cpu_ways::all_ways({CpuMode::asymmetric, CpuMode::symmetric})), test_name);

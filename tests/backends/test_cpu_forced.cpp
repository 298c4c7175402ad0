// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu_ways.h"
#include "backends/forced_fluid.h"
#include "test_name.h"

// Damping zones and acceleration inputs, on the CPU in every way of running.

using namespace sluice;
using cpu_ways::Way;

namespace {

class ForcedWays : public testing::TestWithParam<Way> {
protected:
    static std::unique_ptr<Backend> make(const clouds::Cloud& cloud, int threads = 2) {
        auto backend = GetParam().make(cloud, threads);
        backend->set_state(cloud.state);
        return backend;
    }
};

class ForcedAsymmetricWays : public ForcedWays {};

std::string test_name(const testing::TestParamInfo<Way>& tested) { return as_test_name(tested.param.name()); }

} // namespace

TEST_P(ForcedWays, StepsFollowTheOracle) {
    forced::expect_oracle_steps([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(ForcedWays, RatesAreTheOracles) {
    const clouds::Cloud cloud = forced::forced_cloud(clouds::make_cloud({}, {9, 5, 5}));
    const auto backend = make(cloud);
    EXPECT_LT(rate_errors(*backend, cloud).acceleration, 1e-5);
}

TEST_P(ForcedAsymmetricWays, AResumedRunIsBitwiseTheSame) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic}) {
        const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
        const clouds::Cloud cloud = forced::forced_cloud(clouds::make_cloud(choice, {9, 5, 5}));
        const auto run = [&](int stop) {
            const auto first = make(cloud);
            take_steps(*first, stop);
            clouds::Cloud later = cloud;
            later.state = first->state();
            const auto second = make(later);
            take_steps(*second, 40 - stop);
            return second->state();
        };
        EXPECT_TRUE(bitwise_equal(run(0), run(17)));
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, ForcedWays, testing::ValuesIn(cpu_ways::all_ways()), test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, ForcedAsymmetricWays,
                         testing::ValuesIn(cpu_ways::all_ways({CpuMode::asymmetric, CpuMode::symmetric})), test_name);

// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu_ways.h"
#include "backends/elastic_contacts.h"
#include "backends/moving_walls.h"
#include "test_name.h"

// Walls that move, on the CPU in every way of running.

using namespace sluice;
using cpu_ways::Way;

namespace {

class MovingWays : public testing::TestWithParam<Way> {
protected:
    static std::unique_ptr<Backend> make(const clouds::Cloud& cloud, int threads = 2) {
        auto backend = GetParam().make(cloud, threads);
        backend->set_state(cloud.state);
        return backend;
    }
};
class MovingAsymmetricWays : public MovingWays {};

std::string test_name(const testing::TestParamInfo<Way>& tested) { return as_test_name(tested.param.name()); }

} // namespace

TEST_P(MovingWays, StepsFollowTheOracle) {
    moving::expect_oracle_steps([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(MovingWays, RatesStayTheOraclesWhereverTheWallsGo) {
    moving::expect_oracle_rates_on_the_way([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(MovingWays, ABodyAndTheFluidKeepTheirMomentum) {
    moving::expect_kept_momentum([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(MovingWays, AWallThatLeavesTheDomainEndsTheRun) {
    moving::expect_leaving_walls_are_noticed([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(MovingAsymmetricWays, AreBitwiseTheSameForAnyNumberOfThreadsAndWhenResumed) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
        for (const auto make_cloud : {moving::periodic_cloud, moving::moving_cloud, moving::floating_cloud,
                                      moving::periodic_floating_cloud, moving::driven_cloud, moving::touching_cloud,
                                      moving::open_absorbing_cloud, moving::periodic_absorbing_cloud}) {
            const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
            const clouds::Cloud cloud = make_cloud(choice, {9, 5, 5});
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

INSTANTIATE_TEST_SUITE_P(Cpu, MovingWays, testing::ValuesIn(cpu_ways::all_ways()), test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, MovingAsymmetricWays,
                         testing::ValuesIn(cpu_ways::all_ways({CpuMode::asymmetric, CpuMode::symmetric})), test_name);

namespace {

std::unique_ptr<Backend> make_default(const clouds::Cloud& cloud) {
    CpuOptions options;
    options.threads = 1; // clouds of a few particles
    auto backend = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
    backend->set_state(cloud.state);
    return backend;
}

} // namespace

TEST(CpuContacts, ABodyBouncesAsItsRestitutionSays) { elastic::expect_bounce(make_default); }
TEST(CpuContacts, BodiesKeepTheirMomentum) { elastic::expect_kept_momentum(make_default); }
TEST(CpuContacts, HundredsOfBodiesBounce) { elastic::expect_many_bounces(make_default); }
TEST(CpuContacts, ABlockSlidesOrRestsByCoulomb) { elastic::expect_friction(make_default); }

TEST(CpuMovingWalls, FollowTheirMotionForAHundredThousandSteps) { moving::expect_walls_on_their_way(make_default); }

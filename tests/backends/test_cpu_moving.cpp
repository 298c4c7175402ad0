// SPDX-License-Identifier: Apache-2.0
#include "backends/colliding_bodies.h"
#include "backends/elastic_contacts.h"
#include "backends/moving_walls.h"
#include "backends/way_test.h"

// Walls that move, on the CPU in every way of running.

using namespace sluice;

namespace {

class MovingWays : public cpu_ways::WayTest {};
class MovingAsymmetricWays : public cpu_ways::WayTest {};

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

TEST_P(MovingWays, JoinedBodiesAndTheFluidKeepTheirMomentum) {
    for (const bool moored : {false, true})
        moving::expect_kept_momentum_of_joined_bodies([](const clouds::Cloud& cloud) { return make(cloud); }, moored);
}

TEST_P(MovingWays, AWallThatLeavesTheDomainEndsTheRun) {
    moving::expect_leaving_walls_are_noticed([](const clouds::Cloud& cloud) { return make(cloud); });
}

TEST_P(MovingAsymmetricWays, AreBitwiseTheSameForAnyNumberOfThreadsAndWhenResumed) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
        for (const auto make_cloud :
             {moving::periodic_cloud, moving::moving_cloud, moving::floating_cloud, moving::periodic_floating_cloud,
              moving::driven_cloud, moving::touching_cloud, moving::joined_cloud, moving::moored_cloud,
              moving::open_absorbing_cloud, moving::periodic_absorbing_cloud, colliding::colliding_cloud}) {
            const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
            expect_same_bits(make_cloud(choice, {9, 5, 5}), 40, 17);
        }
}

INSTANTIATE_TEST_SUITE_P(Cpu, MovingWays, testing::ValuesIn(cpu_ways::paired_ways()), cpu_ways::way_test_name);
INSTANTIATE_TEST_SUITE_P(Cpu, MovingAsymmetricWays, testing::ValuesIn(cpu_ways::same_for_any_threads()),
                         cpu_ways::way_test_name);

namespace {

std::unique_ptr<Backend> make_for_bodies(const clouds::Cloud& cloud) {
    CpuOptions options;
    options.threads = 1; // clouds of a few particles
    auto backend = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
    backend->set_state(cloud.state);
    return backend;
}

} // namespace

TEST(CpuCollisions, ChangeTheWaysOfBothBodies) { // in the clouds with which GPUs are compared
    const clouds::Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::verlet};
    for (const Vec3i& count : {Vec3i{20, 9, 8}, Vec3i{16, 10, 14}}) {
        const clouds::Cloud cloud = colliding::colliding_cloud(choice, count);
        const auto with = make_for_bodies(cloud), without = make_for_bodies(colliding::passing_bodies(cloud));
        take_steps(*with, 30);
        take_steps(*without, 30);
        for (std::size_t b = 0; b < 2; ++b)
            EXPECT_GT(norm(with->bodies()[b].state.velocity - without->bodies()[b].state.velocity), 0.01) << b;
    }
}

TEST(CpuContacts, ABodyBouncesAsItsRestitutionSays) { elastic::expect_bounce(make_for_bodies); }
TEST(CpuContacts, BodiesKeepTheirMomentum) { elastic::expect_kept_momentum(make_for_bodies); }
TEST(CpuContacts, HundredsOfBodiesBounce) { elastic::expect_many_bounces(make_for_bodies); }
TEST(CpuContacts, ABlockSlidesOrRestsByCoulomb) { elastic::expect_friction(make_for_bodies); }

TEST(CpuMovingWalls, FollowTheirMotionForAHundredThousandSteps) { moving::expect_walls_on_their_way(make_for_bodies); }

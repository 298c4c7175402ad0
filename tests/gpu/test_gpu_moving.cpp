// SPDX-License-Identifier: Apache-2.0
#include "backends/colliding_bodies.h"
#include "backends/elastic_contacts.h"
#include "cpu/backend/cpu_backend.h"
#include "gpu/gpu_mode_test.h"

// Walls that move, on the GPU in every version.

using namespace sluice;
using clouds::Choice;
using clouds::Cloud;

namespace {

class GpuMoving : public GpuModeTest {};

} // namespace

TEST_P(GpuMoving, StepsFollowTheOracle) {
    moving::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, RatesStayTheOraclesWhereverTheWallsGo) {
    moving::expect_oracle_rates_on_the_way([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, RatesStayTheOraclesWhereFluidPassesABody) {
    moving::expect_oracle_rates_where_fluid_passes([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, ABodyAndTheFluidKeepTheirMomentum) {
    moving::expect_kept_momentum([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, JointsAndMooringLinesGiveOneBodyWhatTheyTakeFromTheOther) {
    for (const bool moored : {false, true})
        moving::expect_kept_momentum_of_joined_bodies([](const Cloud& cloud) { return make(cloud); }, moored);
}

TEST_P(GpuMoving, BodiesThatJointsLinesAndContactsMoveGoWhereTheyGoOnTheCpu) {
    for (const auto make_cloud : {moving::joined_cloud, moving::moored_cloud, colliding::colliding_cloud})
        for (const auto integrator : integrators) {
            const Cloud cloud =
                make_cloud({sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator}, {20, 9, 8});
            const double dp = cloud.setup.constants.dp;
            const auto on_cpu = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), {});
            on_cpu->set_state(cloud.state);
            const auto on_gpu = make(cloud);
            take_steps(*on_cpu, 30);
            take_steps(*on_gpu, 30);
            const auto expected = on_cpu->bodies(), told = on_gpu->bodies();
            ASSERT_EQ(told.size(), 2u);
            for (std::size_t b = 0; b < told.size(); ++b) {
                const BodyState &there = expected[b].state, &here = told[b].state;
                EXPECT_LT(norm(here.centre - there.centre), 1e-4 * dp) << b;
                EXPECT_LT(norm(here.velocity - there.velocity), 1e-4 * norm(there.velocity)) << b;
                EXPECT_LT(norm(here.angular_velocity - there.angular_velocity), 1e-4 * norm(there.angular_velocity))
                    << b;
            }
            const MooringState lines = on_cpu->state().moorings, same = on_gpu->state().moorings;
            ASSERT_EQ(same.nodes.size(), lines.nodes.size());
            for (std::size_t n = 0; n < lines.nodes.size(); ++n)
                EXPECT_LT(norm(same.nodes[n].place - lines.nodes[n].place), 1e-4 * dp) << n;
            for (std::size_t l = 0; l < lines.lines.size(); ++l)
                EXPECT_EQ(same.lines[l].holds(), lines.lines[l].holds()) << l;
            EXPECT_EQ(on_gpu->snapshot({})->get().moorings, same);
        }
}

TEST_P(GpuMoving, AMooringLineThatLosesItsCourseEndsTheRunByItsName) {
    Cloud cloud = moving::moored_cloud(
        {sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, sph::Integrator::verlet}, {20, 9, 8});
    cloud.state.moorings = cloud.setup.moorings.at_start;
    cloud.state.moorings.nodes[4].velocity = {0, 1e7, 0};
    const auto message_of = [](Backend& backend) -> std::string {
        try {
            take_steps(backend, 5);
        } catch (const RunError& error) {
            EXPECT_EQ(error.outcome(), Outcome::blown_up);
            return error.what();
        }
        return "";
    };
    const auto on_cpu = make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), {});
    on_cpu->set_state(cloud.state);
    const std::string expected = message_of(*on_cpu), told = message_of(*make(cloud));
    EXPECT_NE(expected.find("of mooring line 0 has moved by more than a segment"), std::string::npos) << expected;
    EXPECT_EQ(told.substr(0, 6), expected.substr(0, 6)); // of the step; the time may differ in its last digits
    EXPECT_EQ(told.substr(told.find(": node")), expected.substr(expected.find(": node")));
}

TEST_P(GpuMoving, AWallThatLeavesTheDomainEndsTheRun) {
    moving::expect_leaving_walls_are_noticed([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, FollowTheirMotionForAHundredThousandSteps) {
    moving::expect_walls_on_their_way([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, RunsAreBitwiseTheSameAgainAndWhenStoppedOrResumed) {
    for (const auto integrator : {sph::Integrator::verlet, sph::Integrator::symplectic})
        for (const auto make_cloud : {moving::periodic_cloud, moving::moving_cloud, moving::floating_cloud,
                                      moving::periodic_floating_cloud, moving::driven_cloud, moving::touching_cloud,
                                      moving::open_absorbing_cloud, moving::periodic_absorbing_cloud,
                                      moving::joined_cloud, moving::moored_cloud, colliding::colliding_cloud}) {
            const Choice choice{sph::KernelType::wendland, sph::DensityDiffusion::fourtakas, integrator};
            const Cloud cloud = make_cloud(choice, {20, 9, 8});
            expect_same_bits(cloud);
        }
}

TEST_P(GpuMoving, ABodyBouncesAsItsRestitutionSays) {
    elastic::expect_bounce([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, BodiesInContactKeepTheirMomentum) {
    elastic::expect_kept_momentum([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, HundredsOfBodiesBounce) {
    elastic::expect_many_bounces([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuMoving, ABlockSlidesOrRestsByCoulomb) {
    elastic::expect_friction([](const Cloud& cloud) { return make(cloud); });
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuMoving, testing::ValuesIn(gpu_modes), mode_test_name);

// SPDX-License-Identifier: Apache-2.0
#include "backends/extrapolated_walls.h"
#include "cpu/backend/cpu_backend.h"
#include "gpu/dam_break.h"
#include "gpu/gpu_mode_test.h"

// Walls with extrapolated density, on the GPU in every version.

using namespace sluice;
using clouds::Cloud;

namespace {

class GpuWalls : public GpuModeTest {};

} // namespace

TEST_P(GpuWalls, StepsFollowTheOracle) {
    extrapolated::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuWalls, RatesStayTheOraclesWhereverTheWallsGo) {
    extrapolated::expect_oracle_rates_on_the_way([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuWalls, RunsAreBitwiseTheSameAgainAndWhenStoppedOrResumed) {
    for (const Cloud& cloud : extrapolated::clouds_to_resume({20, 9, 8})) {
        expect_same_bits(cloud);
    }
}

TEST_P(GpuWalls, AsManyGhostNodesAsKeepTheDeviceBusyFollowTheCpu) {
    // 88 thousand, so that a thread has one for itself; in fluid that moves along the walls
    DamBreak tank = make_full_tank(0.014, 4, 3);
    for (const auto slip : {sph::SlipMode::wall, sph::SlipMode::no_slip}) {
        tank.setup.constants.boundary = sph::BoundaryCondition::modified_dynamic;
        tank.setup.constants.slip = slip;
        const Cloud cloud{tank.setup, tank.state};
        const auto on_cpu = make_cpu_backend(tank.setup, static_cast<std::uint32_t>(tank.state.size()), {});
        on_cpu->set_state(tank.state);
        take_steps(*on_cpu, 12);
        const StateErrors errors =
            state_errors(oracle::to_double(sorted_by_id(on_cpu->state())), run(cloud, {12}), tank.setup.constants.dp);
        EXPECT_LT(errors.position, 1e-4);
        EXPECT_LT(errors.velocity, 2e-4);
        EXPECT_LT(errors.density, 2e-2);
    }
    expect_same_bits({tank.setup, tank.state});
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuWalls, testing::ValuesIn(gpu_modes), mode_test_name);

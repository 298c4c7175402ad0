// SPDX-License-Identifier: Apache-2.0
#include "backends/extrapolated_walls.h"
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

INSTANTIATE_TEST_SUITE_P(Gpu, GpuWalls, testing::ValuesIn(gpu_modes), mode_test_name);

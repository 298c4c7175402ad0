// SPDX-License-Identifier: Apache-2.0
#include "backends/fluid_passes.h"
#include "gpu/gpu_mode_test.h"

// The sub-particle-scale model and particle shifting, on the GPU in every version.

using namespace sluice;
using clouds::Cloud;

namespace {

class GpuPasses : public GpuModeTest {};

} // namespace

TEST_P(GpuPasses, StepsFollowTheOracle) {
    passes::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuPasses, RunsAreBitwiseTheSameAgainAndWhenStoppedOrResumed) {
    for (const Cloud& cloud : passes::clouds_to_resume({20, 9, 8})) {
        expect_same_bits(cloud);
    }
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuPasses, testing::ValuesIn(gpu_modes), mode_test_name);

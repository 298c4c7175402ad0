// SPDX-License-Identifier: Apache-2.0
#include "backends/forced_fluid.h"
#include "gpu/gpu_mode_test.h"

// Damping zones and acceleration inputs, on the GPU in every version.

using namespace sluice;
using clouds::Cloud;

namespace {

class GpuForced : public GpuModeTest {};

} // namespace

TEST_P(GpuForced, StepsFollowTheOracle) {
    forced::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); });
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuForced, testing::ValuesIn(gpu_modes), mode_test_name);

// SPDX-License-Identifier: Apache-2.0
#include "backends/staggered_steps.h"
#include "cpu/backend/cpu_backend.h"
#include "gpu/gpu_mode_test.h"

// Staggered steps, on the GPU in every version.

using namespace sluice;
using clouds::Cloud;

namespace {

class GpuStaggered : public GpuModeTest {};

} // namespace

TEST_P(GpuStaggered, FollowTheOracle) {
    staggered::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuStaggered, GiveTheSameBitsAgainAndWhenResumed) {
    for (const staggered::Named& start : staggered::all_clouds({9, 5, 5})) {
        SCOPED_TRACE(start.name);
        expect_same_bits(start.cloud);
    }
}

/// A run that the CPU began, with velocities half a step behind, goes on as it would there.
TEST_P(GpuStaggered, GoOnFromAStateOfTheCpu) {
    for (const staggered::Named& start : staggered::all_clouds({8, 5, 4})) {
        const auto cpu = make_cpu_backend(start.cloud.setup, static_cast<std::uint32_t>(start.cloud.state.size()), {});
        cpu->set_state(start.cloud.state);
        take_steps(*cpu, 10);
        Cloud later = start.cloud;
        later.state = cpu->state();
        const auto gpu = make(later);
        for (Backend* backend : {cpu.get(), gpu.get()}) take_steps(*backend, 15);
        const StateErrors errors = state_errors(oracle::to_double(sorted_by_id(cpu->state())), gpu->state(),
                                                later.setup.constants.dp, later.setup.period);
        EXPECT_LT(errors.position, 5e-5) << start.name;
        EXPECT_LT(errors.velocity, 1e-3) << start.name;
        EXPECT_LT(errors.density, 0.1) << start.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuStaggered, testing::ValuesIn(gpu_modes), mode_test_name);

// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"
#include "bench/dam_break.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::bench;

TEST(BenchDamBreak, HasTheNumberOfParticlesAskedFor) {
    for (const std::uint64_t wanted : {5000u, 20000u, 60000u, 200000u}) {
        const DamBreak dam = make_dam_break_of(wanted);
        EXPECT_NEAR(double(dam.particles()) / double(wanted), 1, 0.03) << wanted;
    }
}

TEST(BenchDamBreak, IsInThePapersFormulation) {
    const sph::Constants constants = make_dam_break(0.03).setup.constants;
    EXPECT_EQ(constants.kernel, sph::KernelType::cubic_spline);
    EXPECT_EQ(constants.integrator, sph::Integrator::verlet);
    EXPECT_FLOAT_EQ(constants.alpha, 0.25f);
}

// The memory plan of a problem that is not made must be that of the problem when it is made.
TEST(BenchDamBreak, SetupWithoutParticlesPlansTheSameMemory) {
    const DamBreak dam = make_dam_break_of(100000);
    const RunSetup setup = make_setup_of(dam.particles());
    for (const auto& mode : gpu_modes) {
        const auto bytes = [&](const RunSetup& s) {
            for (const GpuModePlan& plan : plan_gpu_memory({s, dam.particles(), 1e300, {}, {}}).modes)
                if (plan.mode == mode.mode) return plan.bytes;
            return 0.0;
        };
        EXPECT_NEAR(bytes(setup) / bytes(dam.setup), 1, 0.05) << mode.name;
    }
}

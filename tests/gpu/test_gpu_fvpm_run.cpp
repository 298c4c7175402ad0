// SPDX-License-Identifier: Apache-2.0
#include "cuda/fvpm/gpu_solver.h"
#include "gpu/require_gpu.h"
#include "unit/methods/fvpm/tank.h"
#include <gtest/gtest.h>

// Runs of cases with finite volume particles on a GPU: those of the processor, what they keep, the same bits after a
// resume, and what leaves.

namespace sluice::fvpm {
namespace {

using namespace sluice::test;

class GpuFvpmRun : public GpuTest {};

std::unique_ptr<Backend> backend_of(const FvpmRun& run, bool on_gpu = true) {
    return backend_with(
        run, [on_gpu](const FvpmConstants& c) { return on_gpu ? cuda::make_fvpm_solver(c) : make_cpu_solver(c); });
}

FvpmRun drops(int dimensions) { return make_drops(dimensions, 8); }

TEST_F(GpuFvpmRun, IsThatOfTheProcessor) {
    for (const int dimensions : {2, 3}) {
        const FvpmRun run = make_tank(dimensions, 12, 10, 0.01);
        const auto cpu = backend_of(run, false), gpu = backend_of(run);
        steps(*cpu, 50);
        const AdvanceReport report = steps(*gpu, 50);
        EXPECT_EQ(report.step, 50);
        const Frame a = cpu->snapshot(state_fields)->get(), b = gpu->snapshot(state_fields)->get();
        ASSERT_EQ(a.id, b.id);
        EXPECT_NEAR(a.time, b.time, 1e-12);
        for (std::size_t i = 0; i < a.size(); ++i) {
            ASSERT_LT(norm(a.position[i] - b.position[i]), 1e-10) << i;
            ASSERT_NEAR(norm(a.velocity[i] - b.velocity[i]), 0, 1e-6) << i;
            ASSERT_NEAR(a.pressure[i], b.pressure[i], 1) << i; // a digit of the density
        }
    }
}

TEST_F(GpuFvpmRun, KeepsMassAndMomentum) {
    const FvpmRun run = drops(3);
    const auto gpu = backend_of(run);
    const FluidSums before = fluid_sums(*gpu, run.setup);
    steps(*gpu, 200);
    const FluidSums after = fluid_sums(*gpu, run.setup);
    EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
    EXPECT_LT(norm(after.momentum - before.momentum), 1e-12 * before.mass);
}

TEST_F(GpuFvpmRun, AStateGoesOnWithTheSameBits) {
    for (const FvpmRun& run : {make_tank(2, 12, 8, 0.01), make_tank(3, 8, 6, 0.01), drops(3)}) {
        const auto whole = backend_of(run), part = backend_of(run);
        steps(*whole, 60);
        steps(*part, 25);
        const auto rest = backend_of({run.setup, part->state()});
        steps(*rest, 35);
        EXPECT_EQ(whole->state(), rest->state());
    }
}

TEST_F(GpuFvpmRun, TakesOutWhatLeavesTheDomain) {
    FvpmRun run = drops(2);
    run.state.velocity[63] = {0, 0, 40};
    run.state.position[63] = {0.1, run.state.position[0].y, 0.3}; // alone
    const auto gpu = backend_of(run);
    AdvanceReport report = steps(*gpu, 0);
    while (report.particles == 64 && report.step < 2000) report = steps(*gpu, 1);
    EXPECT_EQ(report.particles, 63u);
    const std::vector<ExcludedParticle> out = gpu->take_excluded();
    ASSERT_EQ(out.size(), 1u);
    EXPECT_EQ(out[0].id, 63u);
    EXPECT_EQ(out[0].cause, sph::ExclusionCause::position);
    EXPECT_EQ(steps(*gpu, 5).particles, 63u);
}

} // namespace
} // namespace sluice::fvpm

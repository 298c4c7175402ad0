// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"
#include "core/error.h"
#include "gpu/dam_break.h"
#include "gpu/require_gpu.h"
#include <cuda_runtime_api.h>

using namespace sluice;

namespace {

double free_memory() {
    std::size_t free = 0, total = 0;
    cudaMemGetInfo(&free, &total);
    return double(free);
}

class GpuMemory : public GpuTest, public testing::WithParamInterface<ModeInfo<GpuMode>> {};

} // namespace

TEST_P(GpuMemory, PlanIsWhatIsAllocated) {
    const DamBreak dam = make_dam_break(0.0045);
    const auto particles = static_cast<std::uint32_t>(dam.state.size());
    CudaOptions options;
    options.mode = GetParam().mode;
    { const auto warm_up = make_cuda_backend(dam.setup, particles, options); } // loads the kernels
    const double before = free_memory();
    const auto backend = make_cuda_backend(dam.setup, particles, options);
    backend->set_state(dam.state);
    backend->next_time_step();
    const double taken = before - free_memory();
    const GpuMemoryPlan plan = plan_gpu_memory({dam.setup, particles, 1e15, GetParam().mode, {}});
    for (const GpuModePlan& p : plan.modes)
        if (p.mode == GetParam().mode) {
            EXPECT_NEAR(taken, p.bytes, 0.05 * p.bytes);
            EXPECT_NEAR(double(backend->memory_bytes()), p.bytes, 0.05 * p.bytes);
            backend->snapshot({})->get();
            const double with_frames = p.bytes + plan.frame_bytes;
            EXPECT_NEAR(before - free_memory(), with_frames, 0.05 * with_frames);
            EXPECT_NEAR(double(backend->memory_bytes()), with_frames, 0.05 * with_frames);
        }
}

TEST_P(GpuMemory, PlanCountsWhatBodiesTake) {
    DamBreak dam = make_dam_break(0.01);
    RunSetup& setup = dam.setup;
    Body body; // all that is a wall in other runs
    body.particles = setup.groups.boundary_count();
    body.mass = 1;
    setup.bodies = {body};
    setup.rigid =
        rigid_particles(setup.groups, 0, setup.bodies, [&](std::uint32_t id) { return dam.state.position[id]; });
    const auto particles = static_cast<std::uint32_t>(dam.state.size());
    CudaOptions options;
    options.mode = GetParam().mode;
    const auto backend = make_cuda_backend(setup, particles, options);
    for (const GpuModePlan& p : plan_gpu_memory({setup, particles, 1e15, GetParam().mode, {}}).modes)
        if (p.mode == GetParam().mode) {
            EXPECT_NEAR(double(backend->memory_bytes()), p.bytes, 0.05 * p.bytes);
        }
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuMemory, testing::ValuesIn(gpu_modes), mode_test_name);

TEST_F(GpuTest, LimitsWalkThroughTheVersions) {
    const DamBreak dam = make_dam_break(0.01);
    const auto particles = static_cast<std::uint32_t>(dam.state.size());
    for (const GpuModePlan& p : plan_gpu_memory({dam.setup, particles, 1e15, {}, {}}).modes) {
        CudaOptions options;
        options.memory_limit = static_cast<std::size_t>(p.bytes + 1);
        EXPECT_EQ(make_cuda_backend(dam.setup, particles, options)->info().mode, mode_info(gpu_modes, p.mode).name);
    }
    CudaOptions none;
    none.memory_limit = 1000000;
    EXPECT_THROW(make_cuda_backend(dam.setup, particles, none), InputError);
}

// SPDX-License-Identifier: Apache-2.0
#include "backends/extrapolated_walls.h"
#include "gpu/require_gpu.h"

// Walls with extrapolated density, on the GPU in every version.

using namespace sluice;
using clouds::Cloud;

namespace {

class GpuWalls : public GpuTest, public testing::WithParamInterface<ModeInfo<GpuMode>> {
protected:
    static std::unique_ptr<Backend> make(const Cloud& cloud) {
        CudaOptions options;
        options.mode = GetParam().mode;
        auto backend = make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
        backend->set_state(cloud.state);
        return backend;
    }
    static ParticleState run(const Cloud& cloud, const std::vector<int>& steps) {
        const auto backend = make(cloud);
        for (const int n : steps) take_steps(*backend, n);
        return backend->state();
    }
};

} // namespace

TEST_P(GpuWalls, StepsFollowTheOracle) {
    extrapolated::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuWalls, RatesStayTheOraclesWhereverTheWallsGo) {
    extrapolated::expect_oracle_rates_on_the_way([](const Cloud& cloud) { return make(cloud); });
}

TEST_P(GpuWalls, RunsAreBitwiseTheSameAgainAndWhenStoppedOrResumed) {
    for (const Cloud& cloud : extrapolated::clouds_to_resume({20, 9, 8})) {
        const ParticleState whole = run(cloud, {89});
        EXPECT_TRUE(bitwise_equal(whole, run(cloud, {89})));
        EXPECT_TRUE(bitwise_equal(whole, run(cloud, {1, 16, 30, 42})));
        Cloud later = cloud;
        later.state = run(cloud, {37});
        EXPECT_TRUE(bitwise_equal(whole, run(later, {52})));
    }
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuWalls, testing::ValuesIn(gpu_modes), mode_test_name);

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backends/compare.h"
#include "gpu/require_gpu.h"

namespace sluice {

/// What tests share that go through every version on the GPU.
class GpuModeTest : public GpuTest, public testing::WithParamInterface<ModeInfo<GpuMode>> {
protected:
    /// A backend that has taken over the cloud's state.
    static std::unique_ptr<Backend> make(const clouds::Cloud& cloud) {
        CudaOptions options;
        options.mode = GetParam().mode;
        auto backend = make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
        backend->set_state(cloud.state);
        return backend;
    }
    static ParticleState run(const clouds::Cloud& cloud, const std::vector<int>& steps) {
        const auto backend = make(cloud);
        for (const int n : steps) take_steps(*backend, n);
        return backend->state();
    }
    /// A run gives the same bits again, when stopped on the way, and when resumed.
    static void expect_same_bits(const clouds::Cloud& cloud) {
        const ParticleState whole = run(cloud, {89});
        EXPECT_TRUE(bitwise_equal(whole, run(cloud, {89})));
        EXPECT_TRUE(bitwise_equal(whole, run(cloud, {1, 16, 30, 42})));
        clouds::Cloud later = cloud;
        later.state = run(cloud, {37});
        EXPECT_TRUE(bitwise_equal(whole, run(later, {52})));
    }
};

} // namespace sluice

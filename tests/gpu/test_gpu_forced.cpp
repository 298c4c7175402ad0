// SPDX-License-Identifier: Apache-2.0
#include "backends/forced_fluid.h"
#include "gpu/require_gpu.h"

// Damping zones and acceleration inputs, on the GPU in every version.

using namespace sluice;
using clouds::Cloud;

namespace {

class GpuForced : public GpuTest, public testing::WithParamInterface<ModeInfo<GpuMode>> {
protected:
    static std::unique_ptr<Backend> make(const Cloud& cloud) {
        CudaOptions options;
        options.mode = GetParam().mode;
        auto backend = make_cuda_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
        backend->set_state(cloud.state);
        return backend;
    }
};

} // namespace

TEST_P(GpuForced, StepsFollowTheOracle) {
    forced::expect_oracle_steps([](const Cloud& cloud) { return make(cloud); });
}

INSTANTIATE_TEST_SUITE_P(Gpu, GpuForced, testing::ValuesIn(gpu_modes), mode_test_name);

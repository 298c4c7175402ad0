// SPDX-License-Identifier: Apache-2.0
// A run without any case: it links with the backends alone, and so shows that they need nothing of what reads XML.
#include "backends/particle_clouds.h"
#include "cpu/backend/cpu_backend.h"
#if SLUICE_HAVE_CUDA
#include "cuda/backend/cuda_backend.h"
#endif
#include <cstdio>

int main() {
    const sluice::clouds::Cloud cloud = sluice::clouds::make_cloud({}, {8, 8, 8});
    sluice::CpuOptions options;
    options.threads = 1;
    const auto backend = sluice::make_cpu_backend(cloud.setup, static_cast<std::uint32_t>(cloud.state.size()), options);
    backend->set_state(cloud.state);
    std::printf("%u particles after %d steps\n", backend->advance({1, 3, 1e9}).particles, 3);
#if SLUICE_HAVE_CUDA
    if (cloud.state.size() == 0)
        sluice::make_cuda_backend(cloud.setup, 0, {}); // linked, not called: there may be no GPU
#endif
}

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

namespace sluice::cuda {

/// Throws RunError "GPU: <what>: <reason>" unless `status` is success.
void check(cudaError_t status, const char* what);

/// The same after a kernel launch.
void check_launch(const char* kernel);

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cuda_runtime_api.h>
#include <string>

namespace sluice::cuda {

/// Throws RunError "GPU: <what>: <reason>" unless `status` is success.
void check(cudaError_t status, const char* what);

/// The same after a kernel launch.
void check_launch(const char* kernel);

/// "12.3 GB", "45.6 MB": decimal units, as card memory is sold.
std::string bytes_text(double bytes);

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/check.h"

#include "core/error.h"
#include <string>

namespace sluice::cuda {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    throw RunError(std::string("GPU: ") + what + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) +
                   ")");
}

void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

} // namespace sluice::cuda

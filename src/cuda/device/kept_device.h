// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/check.h"
#include <cuda_runtime.h>

namespace sluice::cuda {

/// Gives the calling thread the device back that it had: other backends work with it.
class KeptDevice {
public:
    KeptDevice() { check(cudaGetDevice(&device_), "selecting the device"); }
    ~KeptDevice() { cudaSetDevice(device_); }
    KeptDevice(const KeptDevice&) = delete;
    KeptDevice& operator=(const KeptDevice&) = delete;

private:
    int device_ = 0;
};

} // namespace sluice::cuda

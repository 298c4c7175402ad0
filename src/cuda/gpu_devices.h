// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/cuda_backend.h"

namespace sluice::cuda {

/// Makes a GPU the one that the calling thread works with. RunError if there is none, InputError if not this one.
GpuDevice select_gpu(int index);

/// Of the calling thread's GPU.
std::uint32_t multiprocessors();

} // namespace sluice::cuda

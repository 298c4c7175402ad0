// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/cuda_backend.h"

namespace sluice::cuda {

/// The backend of a run that the GPUs of `options.devices` share; as make_cuda_backend().
std::unique_ptr<Backend> make_shared_backend(const RunSetup& setup, std::uint32_t particle_count,
                                             const CudaOptions& options);

} // namespace sluice::cuda

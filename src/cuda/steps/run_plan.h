// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/gpu_memory_plan.h"
#include "cuda/search/neighbour_search.h"
#include "cuda/steps/cuda_options.h"

namespace sluice::cuda {

/// Bytes that a run may use on the current device which holds `held` already.
double available_memory(const CudaOptions& options, std::size_t held);

/// The plan of a run of so many particles on so many devices, with `available` bytes each; the version that the run
/// began in, if it fits. InputError, which says what would, if nothing does.
GpuMemoryPlan plan_run(const RunSetup& setup, std::uint64_t particles, int gpus, double available,
                       const CudaOptions& options);

/// The search of a version.
MakeSearch search_of(const RunSetup& setup, GpuMode mode, const CudaOptions& options);

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/backend/cuda_backend.h"
#include "cuda/search/neighbour_search.h"

namespace sluice::cuda {

/// As make_cuda_backend(), with another search than that of the mode: for benches that compare. What the search holds
/// is not in the memory plan. It must keep no lists: the mode is one without.
std::unique_ptr<Backend> make_cuda_backend_with(const RunSetup& setup, std::uint32_t particle_count,
                                                const CudaOptions& options, const MakeSearch& make_search);

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#include "cuda/pairs/interaction_kernels.cuh"

namespace sluice::cuda {

template void launch_interaction<sph::Wendland, false, true>(const InteractionArgs& args, cudaStream_t stream,
                                                             cudaStream_t side);

} // namespace sluice::cuda

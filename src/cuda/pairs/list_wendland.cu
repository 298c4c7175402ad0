// SPDX-License-Identifier: Apache-2.0
#include "cuda/pairs/list_kernels.cuh"

namespace sluice::cuda {

template void launch_list_interaction<sph::Wendland, false, true>(const InteractionArgs& args, const ListArgs& lists,
                                                                  const ListedParticles& which, cudaStream_t stream);

} // namespace sluice::cuda

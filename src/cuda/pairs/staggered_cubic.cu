// SPDX-License-Identifier: Apache-2.0
#include "cuda/pairs/list_kernels.cuh"

namespace sluice::cuda {

template void launch_interaction<sph::CubicSpline, false, false>(const InteractionArgs& args, cudaStream_t stream,
                                                                 cudaStream_t side);
template void launch_list_interaction<sph::CubicSpline, false, false>(const InteractionArgs& args,
                                                                      const ListArgs& lists,
                                                                      const ListedParticles& which,
                                                                      cudaStream_t stream);

} // namespace sluice::cuda

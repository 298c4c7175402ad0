// SPDX-License-Identifier: Apache-2.0
#include "cuda/paper_kernels.cuh"

namespace sluice::cuda {

template void launch_paper_interaction<sph::Wendland>(const PaperArgs& args, cudaStream_t stream);

} // namespace sluice::cuda

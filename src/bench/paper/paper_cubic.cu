// SPDX-License-Identifier: Apache-2.0
#include "bench/paper/paper_kernels.cuh"

namespace sluice::paper {

template void launch_paper_interaction<sph::CubicSpline>(const PaperArgs& args, cudaStream_t stream);
template std::vector<GpuKernel> paper_kernels<sph::CubicSpline>();

} // namespace sluice::paper

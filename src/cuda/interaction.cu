// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu_devices.h"
#include "cuda/interaction.h"
#include "cuda/kernel_resources.h"
#include "cuda/neighbour_lists.h"

#include "physics/sph/kernels.h"

namespace sluice::cuda {

extern template void launch_interaction<sph::CubicSpline>(const InteractionArgs& args, cudaStream_t stream,
                                                          cudaStream_t side);
extern template void launch_interaction<sph::Wendland>(const InteractionArgs& args, cudaStream_t stream,
                                                       cudaStream_t side);
template <class Kernel>
void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, cudaStream_t stream,
                             cudaStream_t side);
extern template void launch_list_interaction<sph::CubicSpline>(const InteractionArgs& args, const ListArgs& lists,
                                                               cudaStream_t stream, cudaStream_t side);
extern template void launch_list_interaction<sph::Wendland>(const InteractionArgs& args, const ListArgs& lists,
                                                            cudaStream_t stream, cudaStream_t side);

void launch_interaction(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side) {
    sph::with_kernel(args.step.run.kernel,
                     [&]<class Kernel>(Kernel) { launch_interaction<Kernel>(args, stream, side); });
}

void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, cudaStream_t stream,
                             cudaStream_t side) {
    sph::with_kernel(args.step.run.kernel,
                     [&]<class Kernel>(Kernel) { launch_list_interaction<Kernel>(args, lists, stream, side); });
}

template <class Kernel>
std::vector<GpuKernel> search_kernels();
template <class Kernel>
std::vector<GpuKernel> list_kernels();
extern template std::vector<GpuKernel> search_kernels<sph::CubicSpline>();
extern template std::vector<GpuKernel> list_kernels<sph::CubicSpline>();

} // namespace sluice::cuda

namespace sluice {

std::vector<GpuKernel> interaction_kernel_resources(int device) {
    cuda::select_gpu(device);
    std::vector<GpuKernel> all = cuda::search_kernels<sph::CubicSpline>();
    const std::vector<GpuKernel> lists = cuda::list_kernels<sph::CubicSpline>();
    all.insert(all.end(), lists.begin(), lists.end());
    return all;
}

} // namespace sluice

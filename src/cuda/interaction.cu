// SPDX-License-Identifier: Apache-2.0
#include "cuda/gpu_devices.h"
#include "cuda/interaction.h"
#include "cuda/kernel_resources.h"
#include "cuda/neighbour_lists.h"

#include "physics/sph/kernels.h"

namespace sluice::cuda {

extern template void launch_interaction<sph::CubicSpline, false>(const InteractionArgs& args, cudaStream_t stream,
                                                                 cudaStream_t side);
extern template void launch_interaction<sph::CubicSpline, true>(const InteractionArgs& args, cudaStream_t stream,
                                                                cudaStream_t side);
extern template void launch_interaction<sph::Wendland, false>(const InteractionArgs& args, cudaStream_t stream,
                                                              cudaStream_t side);
extern template void launch_interaction<sph::Wendland, true>(const InteractionArgs& args, cudaStream_t stream,
                                                             cudaStream_t side);
template <class Kernel, bool Periodic>
void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, const ListedParticles& which,
                             cudaStream_t stream);
extern template void launch_list_interaction<sph::CubicSpline, false>(const InteractionArgs& args,
                                                                      const ListArgs& lists,
                                                                      const ListedParticles& which,
                                                                      cudaStream_t stream);
extern template void launch_list_interaction<sph::CubicSpline, true>(const InteractionArgs& args, const ListArgs& lists,
                                                                     const ListedParticles& which, cudaStream_t stream);
extern template void launch_list_interaction<sph::Wendland, false>(const InteractionArgs& args, const ListArgs& lists,
                                                                   const ListedParticles& which, cudaStream_t stream);
extern template void launch_list_interaction<sph::Wendland, true>(const InteractionArgs& args, const ListArgs& lists,
                                                                  const ListedParticles& which, cudaStream_t stream);

namespace {

/// Calls `use(kernel, periodic)` with what the run has of both, as types.
template <class Use>
void with_variant(const InteractionArgs& args, Use&& use) {
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel kernel) {
        args.period.any() ? use(kernel, std::true_type{}) : use(kernel, std::false_type{});
    });
}

} // namespace

void launch_interaction(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side) {
    with_variant(args, [&]<class Kernel, bool Periodic>(Kernel, std::bool_constant<Periodic>) {
        launch_interaction<Kernel, Periodic>(args, stream, side);
    });
}

void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, const ListedParticles& which,
                             cudaStream_t stream) {
    with_variant(args, [&]<class Kernel, bool Periodic>(Kernel, std::bool_constant<Periodic>) {
        launch_list_interaction<Kernel, Periodic>(args, lists, which, stream);
    });
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

// SPDX-License-Identifier: Apache-2.0
#include "cuda/interaction.h"
#include "cuda/neighbour_lists.h"

#include "sph/kernels.h"

namespace sluice::cuda {

extern template void launch_interaction<sph::CubicSpline>(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side);
extern template void launch_interaction<sph::Wendland>(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side);
template <class Kernel>
void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, cudaStream_t stream, cudaStream_t side);
extern template void launch_list_interaction<sph::CubicSpline>(const InteractionArgs& args, const ListArgs& lists, cudaStream_t stream, cudaStream_t side);
extern template void launch_list_interaction<sph::Wendland>(const InteractionArgs& args, const ListArgs& lists, cudaStream_t stream, cudaStream_t side);

void launch_interaction(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side) {
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) { launch_interaction<Kernel>(args, stream, side); });
}

void launch_list_interaction(const InteractionArgs& args, const ListArgs& lists, cudaStream_t stream, cudaStream_t side) {
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) { launch_list_interaction<Kernel>(args, lists, stream, side); });
}

} // namespace sluice::cuda

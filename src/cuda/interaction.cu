// SPDX-License-Identifier: Apache-2.0
#include "cuda/interaction.h"

#include "sph/kernels.h"

namespace sluice::cuda {

extern template void launch_interaction<sph::CubicSpline>(const InteractionArgs& args, cudaStream_t stream);
extern template void launch_interaction<sph::Wendland>(const InteractionArgs& args, cudaStream_t stream);

void launch_interaction(const InteractionArgs& args, cudaStream_t stream) {
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) { launch_interaction<Kernel>(args, stream); });
}

} // namespace sluice::cuda

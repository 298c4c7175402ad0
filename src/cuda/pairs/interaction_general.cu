// SPDX-License-Identifier: Apache-2.0
#include "cuda/pairs/list_kernels.cuh"
#include "physics/sph/kernels.h"

// The interaction of the smoothing kernels that have the general formulation alone.

namespace sluice::cuda {

template <bool Periodic, bool Whole>
void launch_general_interaction(const InteractionArgs& args, cudaStream_t stream, cudaStream_t side) {
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) {
        if constexpr (Kernel::general_only) launch_interaction<Kernel, Periodic, Whole>(args, stream, side);
    });
}

template <bool Periodic, bool Whole>
void launch_general_list_interaction(const InteractionArgs& args, const ListArgs& lists, const ListedParticles& which,
                                     cudaStream_t stream) {
    sph::with_kernel(args.step.run.kernel, [&]<class Kernel>(Kernel) {
        if constexpr (Kernel::general_only)
            launch_list_interaction<Kernel, Periodic, Whole>(args, lists, which, stream);
    });
}

template void launch_general_interaction<false, false>(const InteractionArgs&, cudaStream_t, cudaStream_t);
template void launch_general_list_interaction<false, false>(const InteractionArgs&, const ListArgs&,
                                                            const ListedParticles&, cudaStream_t);
template void launch_general_interaction<false, true>(const InteractionArgs&, cudaStream_t, cudaStream_t);
template void launch_general_list_interaction<false, true>(const InteractionArgs&, const ListArgs&,
                                                           const ListedParticles&, cudaStream_t);
template void launch_general_interaction<true, false>(const InteractionArgs&, cudaStream_t, cudaStream_t);
template void launch_general_list_interaction<true, false>(const InteractionArgs&, const ListArgs&,
                                                           const ListedParticles&, cudaStream_t);
template void launch_general_interaction<true, true>(const InteractionArgs&, cudaStream_t, cudaStream_t);
template void launch_general_list_interaction<true, true>(const InteractionArgs&, const ListArgs&,
                                                          const ListedParticles&, cudaStream_t);

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#include "cpu/simd/simd_gather.inl"
#include "cpu/simd/simd_interaction.inl"

namespace sluice::cpu {

Interaction* make_interaction_v4(const sph::Constants& constants) {
    return sph::with_kernel(constants.kernel, [&]<class K>(K) { return make_simd_interaction<K>(constants); });
}

Gather* make_flow_gradients_v4(const sph::Constants& constants) {
    return sph::with_kernel(constants.kernel,
                            [&]<class K>(K) -> Gather* { return new SimdGather<sph::FlowGradients<K>>(constants); });
}

} // namespace sluice::cpu

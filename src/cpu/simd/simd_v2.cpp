// SPDX-License-Identifier: Apache-2.0
#include "cpu/simd/simd_gather.inl"
#include "cpu/simd/simd_interaction.inl"

namespace sluice::cpu {

Interaction* make_interaction_v2(const sph::Constants& constants, const Fluids& fluids, sph::RatesPart part) {
    return sph::with_kernel(constants.kernel,
                            [&]<class K>(K) { return make_simd_interaction<K>(constants, fluids, part); });
}

Gather* make_gather_v2(GatherOperator which, const sph::Constants& constants) {
    return with_operator(which, constants, [&]<class Op>(Op) -> Gather* { return new SimdGather<Op>(constants); });
}

GhostGather* make_ghost_gather_v2(bool with_velocity, const sph::Constants& constants) {
    return sph::with_ghost_node(constants.kernel, with_velocity,
                                [&]<class Op>(Op) -> GhostGather* { return new SimdGhostGather<Op>(constants); });
}

} // namespace sluice::cpu

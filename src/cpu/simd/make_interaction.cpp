// SPDX-License-Identifier: Apache-2.0
#include "cpu/simd/make_interaction.h"

#include "cpu/pairs/scalar_gather.h"
#include "cpu/pairs/scalar_interaction.h"
#include "cpu/simd/simd_levels.h"
#if defined(SLUICE_X86_64) || defined(SLUICE_AARCH64)
#include "cpu/simd/simd_interaction.h"
#endif

namespace sluice {

std::vector<SimdLevel> simd_levels() {
    std::vector<SimdLevel> levels{{"off", "one pair at a time, any processor", true}};
#ifdef SLUICE_X86_64
    const bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    const bool v3 =
        v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    levels.push_back({"v2", "x86-64-v2 (SSE4.2), 4 pairs at a time", v2});
    levels.push_back({"v3", "x86-64-v3 (AVX2), 8 pairs at a time", v3});
    levels.push_back({"v4", "x86-64-v4 (AVX-512), 16 pairs at a time", v4});
#endif
#ifdef SLUICE_AARCH64
    levels.push_back({"neon", "AArch64 (NEON), 4 pairs at a time", true});
#endif
    return levels;
}

namespace cpu {

std::unique_ptr<Interaction> make_interaction(const std::string& simd, const sph::Constants& constants,
                                              const Fluids& fluids, sph::RatesPart part) {
#ifdef SLUICE_X86_64
    if (simd == "v2") return std::unique_ptr<Interaction>(make_interaction_v2(constants, fluids, part));
    if (simd == "v3") return std::unique_ptr<Interaction>(make_interaction_v3(constants, fluids, part));
    if (simd == "v4") return std::unique_ptr<Interaction>(make_interaction_v4(constants, fluids, part));
#endif
#ifdef SLUICE_AARCH64
    if (simd == "neon") return std::unique_ptr<Interaction>(make_interaction_neon(constants, fluids, part));
#endif
    return make_scalar_interaction(constants, fluids, part);
}

std::unique_ptr<Gather> make_gather(const std::string& simd, GatherOperator which, const sph::Constants& constants) {
#ifdef SLUICE_X86_64
    if (simd == "v2") return std::unique_ptr<Gather>(make_gather_v2(which, constants));
    if (simd == "v3") return std::unique_ptr<Gather>(make_gather_v3(which, constants));
    if (simd == "v4") return std::unique_ptr<Gather>(make_gather_v4(which, constants));
#endif
#ifdef SLUICE_AARCH64
    if (simd == "neon") return std::unique_ptr<Gather>(make_gather_neon(which, constants));
#endif
    return make_scalar_gather(which, constants);
}

std::unique_ptr<GhostGather> make_ghost_gather(const std::string& simd, bool with_velocity,
                                               const sph::Constants& constants) {
#ifdef SLUICE_X86_64
    if (simd == "v2") return std::unique_ptr<GhostGather>(make_ghost_gather_v2(with_velocity, constants));
    if (simd == "v3") return std::unique_ptr<GhostGather>(make_ghost_gather_v3(with_velocity, constants));
    if (simd == "v4") return std::unique_ptr<GhostGather>(make_ghost_gather_v4(with_velocity, constants));
#endif
#ifdef SLUICE_AARCH64
    if (simd == "neon") return std::unique_ptr<GhostGather>(make_ghost_gather_neon(with_velocity, constants));
#endif
    return make_scalar_ghost_gather(with_velocity, constants);
}

} // namespace cpu
} // namespace sluice

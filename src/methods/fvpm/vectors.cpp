// SPDX-License-Identifier: Apache-2.0
#include "methods/fvpm/vectors.h"

#include <vector>

#ifndef SLUICE_X86_64
#include "methods/fvpm/vectors.inl"
#endif

namespace sluice::fvpm {

#ifdef SLUICE_X86_64
FindVectors find_vectors_v2();
FindVectors find_vectors_v3();
FindVectors find_vectors_v4();
#endif

std::span<const FindVectorsVariant> find_vectors_variants() {
    static const std::vector<FindVectorsVariant> variants = [] {
        std::vector<FindVectorsVariant> all;
#ifdef SLUICE_X86_64
        all.push_back({"v2", find_vectors_v2()});
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
            all.push_back({"v3", find_vectors_v3()});
        if (all.size() == 2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
            __builtin_cpu_supports("avx512cd"))
            all.push_back({"v4", find_vectors_v4()});
#else
        all.push_back({"plain", &find_vectors});
#endif
        return all;
    }();
    return variants;
}

FindVectors find_vectors_here() { return find_vectors_variants().back().find; }

} // namespace sluice::fvpm

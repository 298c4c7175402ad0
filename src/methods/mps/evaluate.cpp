// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/evaluate.h"

#include "core/error.h"
#include "methods/mps/sweep.h"
#include <algorithm>
#include <fmt/format.h>
#include <omp.h>

namespace sluice::mps {

namespace {

void check_evaluation(const ParticleSearch& search, const Evaluation& e) {
    const bool in_runs = e.visit == Visit::runs || e.visit == Visit::reached_runs;
    if (e.lanes != Lanes::one && !in_runs) throw InputError("MPS operators: only runs have more than one lane");
    if (e.lanes > widest_lanes())
        throw InputError(fmt::format("MPS operators: this processor has no {}", name_of(e.lanes)));
    if (e.threads < 1)
        throw InputError(fmt::format("MPS operators: the number of threads must be 1 or more ({})", e.threads));
    if (e.visit == Visit::linked_list && search.first_in_bucket().empty())
        throw InputError("MPS operators: the search has no linked list");
}

Particles sweep(const SweepJob& job, Lanes lanes) {
#ifdef SLUICE_X86_64
    if (lanes == Lanes::eight) return vector_sweep_v4(job);
    if (lanes == Lanes::four) return vector_sweep_v3(job);
#else
    (void)lanes;
#endif
    return scalar_sweep(job);
}

} // namespace

Lanes widest_lanes() {
#ifdef SLUICE_X86_64
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    return v4 ? Lanes::eight : v3 ? Lanes::four : Lanes::one;
#else
    return Lanes::one;
#endif
}

std::string_view name_of(Lanes lanes) {
    return lanes == Lanes::eight ? "AVX-512" : lanes == Lanes::four ? "AVX2" : "scalar";
}

void evaluate(const ParticleSearch& search, const OperatorScale& scale, const Evaluation& evaluation,
              Derivatives& result) {
    check_evaluation(search, evaluation);
    const std::size_t size = search.size(), others = result_count(evaluation.which) == 3 ? size : 0;
    result.x.resize(size);
    result.y.resize(others);
    result.z.resize(others);
    const int before = omp_get_max_threads();
    omp_set_num_threads(evaluation.threads);
    result.singular = sweep({search,
                             evaluation.which,
                             evaluation.shape,
                             evaluation.visit,
                             scale,
                             {result.x.data(), result.y.data(), result.z.data()}},
                            evaluation.lanes);
    omp_set_num_threads(before);
    std::ranges::sort(result.singular);
}

} // namespace sluice::mps

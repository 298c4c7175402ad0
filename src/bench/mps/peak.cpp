// SPDX-License-Identifier: Apache-2.0
#include "bench/mps/peak.h"

#include "bench/timing.h"
#include <algorithm>
#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace sluice::bench {

namespace {

constexpr int chains = 12; // more than the latency of a multiply-add times the units
constexpr int links = 20000;

#ifdef __x86_64__
// Each returns a sum, so that nothing is left out.
__attribute__((target("avx512f"))) double multiply_add_512() {
    __m512d sums[chains];
    for (int c = 0; c < chains; ++c) sums[c] = _mm512_set1_pd(1e-3 * c);
    const __m512d factor = _mm512_set1_pd(0.999), term = _mm512_set1_pd(1e-3);
    for (int n = 0; n < links; ++n)
#pragma GCC unroll 12
        for (int c = 0; c < chains; ++c) sums[c] = _mm512_fmadd_pd(sums[c], factor, term);
    for (int c = 1; c < chains; ++c) sums[0] = _mm512_add_pd(sums[0], sums[c]);
    return _mm512_cvtsd_f64(sums[0]);
}
__attribute__((target("avx2,fma"))) double multiply_add_256() {
    __m256d sums[chains];
    for (int c = 0; c < chains; ++c) sums[c] = _mm256_set1_pd(1e-3 * c);
    const __m256d factor = _mm256_set1_pd(0.999), term = _mm256_set1_pd(1e-3);
    for (int n = 0; n < links; ++n)
#pragma GCC unroll 12
        for (int c = 0; c < chains; ++c) sums[c] = _mm256_fmadd_pd(sums[c], factor, term);
    for (int c = 1; c < chains; ++c) sums[0] = _mm256_add_pd(sums[0], sums[c]);
    return _mm256_cvtsd_f64(sums[0]);
}
double multiply_add(mps::Lanes lanes) { return lanes == mps::Lanes::eight ? multiply_add_512() : multiply_add_256(); }
#else
double multiply_add(mps::Lanes) { return 0; }
#endif

} // namespace

double measured_cpu_peak(int threads) {
    const mps::Lanes lanes = mps::widest_lanes();
    if (lanes == mps::Lanes::one) return 0;
    constexpr int calls = 20;
    const double operations = 2.0 * chains * links * (lanes == mps::Lanes::eight ? 8 : 4) * calls * threads;
    double best = 0, kept = 0;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const double start = now();
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : kept)
        for (int n = 0; n < calls * threads; ++n) kept += multiply_add(lanes);
        best = std::max(best, operations / (now() - start));
    }
    return kept != 0 ? best : 0;
}

} // namespace sluice::bench

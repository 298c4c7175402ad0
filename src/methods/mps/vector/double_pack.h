// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/operators.h"
#include <cstdint>
#include <immintrin.h>

// A pack of doubles, one a lane: the number type with which the operators run on the vector unit of the CPU. Arithmetic
// is written over the compiler's vector types, which fuses multiplications and additions.

namespace sluice::mps {
inline namespace SLUICE_ISA {

#if defined(__AVX512DQ__)
using NativeDoubles = __m512d;
#else
using NativeDoubles = __m256d;
#endif

struct DoublePack {
    static constexpr int width = sizeof(NativeDoubles) / sizeof(double);
    NativeDoubles v;

    DoublePack() = default;
    SLUICE_INLINE DoublePack(NativeDoubles native) : v(native) {}
    SLUICE_INLINE explicit DoublePack(double value);
    SLUICE_INLINE DoublePack& operator+=(DoublePack b) {
        v = v + b.v;
        return *this;
    }
};

SLUICE_INLINE DoublePack operator+(DoublePack a, DoublePack b) { return a.v + b.v; }
SLUICE_INLINE DoublePack operator-(DoublePack a, DoublePack b) { return a.v - b.v; }
SLUICE_INLINE DoublePack operator*(DoublePack a, DoublePack b) { return a.v * b.v; }

SLUICE_INLINE DoublePack reciprocal(DoublePack a);
SLUICE_INLINE DoublePack square_root(DoublePack a);
SLUICE_INLINE DoublePack inverse_sqrt(DoublePack a) { return reciprocal(square_root(a)); }

#if defined(__AVX512DQ__)

SLUICE_INLINE DoublePack::DoublePack(double value) : v(_mm512_set1_pd(value)) {}
SLUICE_INLINE DoublePack positive_part(DoublePack a) { return _mm512_max_pd(a.v, _mm512_setzero_pd()); }
SLUICE_INLINE DoublePack absolute(DoublePack a) { return _mm512_abs_pd(a.v); }
SLUICE_INLINE DoublePack square_root(DoublePack a) { return _mm512_sqrt_pd(a.v); }
SLUICE_INLINE DoublePack reciprocal(DoublePack a) { return _mm512_set1_pd(1) / a.v; }
SLUICE_INLINE double sum(DoublePack a) { return _mm512_reduce_add_pd(a.v); }
SLUICE_INLINE DoublePack load(const double* p) { return _mm512_loadu_pd(p); }
/// The first `count` lanes from memory, the others `other`.
SLUICE_INLINE DoublePack load_first(const double* p, int count, DoublePack other) {
    const auto mask = static_cast<__mmask8>(count >= DoublePack::width ? 0xffu : (1u << count) - 1);
    return _mm512_mask_loadu_pd(other.v, mask, p);
}

#else

SLUICE_INLINE DoublePack::DoublePack(double value) : v(_mm256_set1_pd(value)) {}
SLUICE_INLINE DoublePack positive_part(DoublePack a) { return _mm256_max_pd(a.v, _mm256_setzero_pd()); }
SLUICE_INLINE DoublePack absolute(DoublePack a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a.v); }
SLUICE_INLINE DoublePack square_root(DoublePack a) { return _mm256_sqrt_pd(a.v); }
SLUICE_INLINE DoublePack reciprocal(DoublePack a) { return _mm256_set1_pd(1) / a.v; }
SLUICE_INLINE double sum(DoublePack a) {
    const __m128d two = _mm_add_pd(_mm256_castpd256_pd128(a.v), _mm256_extractf128_pd(a.v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(two, _mm_unpackhi_pd(two, two)));
}
SLUICE_INLINE DoublePack load(const double* p) { return _mm256_loadu_pd(p); }
/// The first `count` lanes from memory, the others `other`.
SLUICE_INLINE DoublePack load_first(const double* p, int count, DoublePack other) {
    const __m256i mask = _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
    return _mm256_blendv_pd(other.v, _mm256_loadu_pd(p), _mm256_castsi256_pd(mask));
}

#endif

} // namespace SLUICE_ISA
} // namespace sluice::mps

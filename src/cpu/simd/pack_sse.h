// SPDX-License-Identifier: Apache-2.0
#pragma once
// Included by pack.h: x86-64-v2, 4 lanes.
#include "cpu/simd/compress_table.h"

namespace sluice::cpu {
inline namespace SLUICE_ISA {

struct Mask {
    __m128 v; ///< all bits of a lane, or none
};

SLUICE_INLINE Pack::Pack(float value) : v(_mm_set1_ps(value)) {}

SLUICE_INLINE Pack maximum(Pack a, Pack b) { return _mm_max_ps(a.v, b.v); }
SLUICE_INLINE Pack minimum(Pack a, Pack b) { return _mm_min_ps(a.v, b.v); }
SLUICE_INLINE Pack absolute(Pack a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a.v); }
SLUICE_INLINE Pack square_root(Pack a) { return _mm_sqrt_ps(a.v); }
/// 1/a, 1/√a: 12 bits from the instruction, doubled by one Newton step.
SLUICE_INLINE Pack reciprocal(Pack a) {
    const Pack x = _mm_rcp_ps(a.v);
    return x * (2.0f - a * x);
}
SLUICE_INLINE Pack inverse_sqrt(Pack a) {
    const Pack x = _mm_rsqrt_ps(a.v);
    return x * (1.5f - (0.5f * a) * (x * x));
}

SLUICE_INLINE Mask less(Pack a, Pack b) { return {_mm_cmplt_ps(a.v, b.v)}; }
SLUICE_INLINE Pack select(Mask mask, Pack yes, Pack no) { return _mm_blendv_ps(no.v, yes.v, mask.v); }
SLUICE_INLINE Pack zero_unless(Mask mask, Pack a) { return _mm_and_ps(mask.v, a.v); }
SLUICE_INLINE Mask either(Mask a, Mask b) { return {_mm_or_ps(a.v, b.v)}; }
SLUICE_INLINE Mask no_lanes() { return {_mm_setzero_ps()}; }
SLUICE_INLINE bool any(Mask mask) { return _mm_movemask_ps(mask.v) != 0; }
/// The first `count` lanes: none if it is negative, all if there are fewer.
SLUICE_INLINE Mask first_lanes(int count) {
    return {_mm_castsi128_ps(_mm_cmpgt_epi32(_mm_set1_epi32(count), _mm_setr_epi32(0, 1, 2, 3)))};
}

SLUICE_INLINE IntPack broadcast_int(std::uint32_t a) { return {_mm_set1_epi32(static_cast<int>(a))}; }
SLUICE_INLINE Pack difference(IntPack a, IntPack b) { return _mm_cvtepi32_ps(_mm_sub_epi32(a.v, b.v)); }
/// Without the given bits.
SLUICE_INLINE IntPack cleared(IntPack a, std::uint32_t bits) {
    return {_mm_andnot_si128(_mm_set1_epi32(static_cast<int>(bits)), a.v)};
}
/// The bits that differ.
SLUICE_INLINE IntPack differing(IntPack a, IntPack b) { return {_mm_xor_si128(a.v, b.v)}; }
SLUICE_INLINE std::uint32_t first_lane(IntPack a) { return static_cast<std::uint32_t>(_mm_cvtsi128_si32(a.v)); }
/// The entries of a table of eight numbers that the lowest three bits of the lanes choose.
SLUICE_INLINE Pack entry_of_eight(const float* table, IntPack index) {
    alignas(16) std::uint32_t lane[4];
    _mm_store_si128(reinterpret_cast<__m128i*>(lane), index.v);
    alignas(16) float entry[4];
    for (int k = 0; k < 4; ++k) entry[k] = table[lane[k] & 7];
    return _mm_load_ps(entry);
}
/// Lanes in which none of the given bits is set.
SLUICE_INLINE Mask without_bits(IntPack a, std::uint32_t bits) {
    const __m128i set = _mm_and_si128(a.v, _mm_set1_epi32(static_cast<int>(bits)));
    return {_mm_castsi128_ps(_mm_cmpeq_epi32(set, _mm_setzero_si128()))};
}

SLUICE_INLINE float largest(Pack a) {
    const __m128 two = _mm_max_ps(a.v, _mm_movehl_ps(a.v, a.v));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

SLUICE_INLINE void transpose(__m128 (&r)[4]) { _MM_TRANSPOSE4_PS(r[0], r[1], r[2], r[3]); }

/// Sums over the lanes of four packs.
SLUICE_INLINE Accumulator sums(Pack ax, Pack ay, Pack az, Pack rho) {
    __m128 r[4] = {ax.v, ay.v, az.v, rho.v};
    transpose(r);
    Accumulator out;
    _mm_store_ps(&out.ax, (r[0] + r[1]) + (r[2] + r[3]));
    return out;
}

/// Records of the particles whose fourfold indices are listed.
SLUICE_INLINE RecordPack load_records(const Record* records, const std::uint32_t* list) {
    const auto* const base = reinterpret_cast<const char*>(records);
    const auto load = [&](int lane, int half) {
        return _mm_load_ps(reinterpret_cast<const float*>(base + std::size_t(list[lane]) * 8) + half);
    };
    __m128 a[4] = {load(0, 0), load(1, 0), load(2, 0), load(3, 0)};
    __m128 b[4] = {load(0, 4), load(1, 4), load(2, 4), load(3, 4)};
    transpose(a);
    transpose(b);
    const auto ints = [](__m128 p) { return IntPack{_mm_castps_si128(p)}; };
    return {ints(a[0]), ints(a[1]), ints(a[2]), a[3], b[0], b[1], b[2], b[3]};
}

/// Adds one lane to the rates of each listed particle.
SLUICE_INLINE void add_to_rates(Accumulator* rates, const std::uint32_t* list, Pack ax, Pack ay, Pack az, Pack rho) {
    __m128 r[4] = {ax.v, ay.v, az.v, rho.v};
    transpose(r);
    auto* const base = reinterpret_cast<char*>(rates);
    for (int lane = 0; lane < 4; ++lane) {
        auto* const p = reinterpret_cast<float*>(base + std::size_t(list[lane]) * 4);
        _mm_store_ps(p, _mm_load_ps(p) + r[lane]);
    }
}

SLUICE_INLINE NativeInts broadcast_short(std::uint16_t a) { return _mm_set1_epi16(static_cast<short>(a)); }

/// Squared distances (2⁻¹³ of the support's square) of 8 candidates from target i.
SLUICE_INLINE __m128i coarse_distance2(const SearchTargets& t, int i, __m128i x, __m128i y, __m128i z) {
    const __m128i dx = _mm_sub_epi16(x, t.x[i]), dy = _mm_sub_epi16(y, t.y[i]), dz = _mm_sub_epi16(z, t.z[i]);
    return _mm_adds_epu16(_mm_adds_epu16(_mm_mulhrs_epi16(dx, dx), _mm_mulhrs_epi16(dy, dy)), _mm_mulhrs_epi16(dz, dz));
}

/// Appends the fourfold indices of the particles begin … end−1 that may be in reach of either target; returns how
/// many there are then.
SLUICE_INLINE int search(const std::uint16_t* const (&coordinates)[3], const SearchTargets& t, std::uint32_t begin,
                         std::uint32_t end, std::uint32_t* list, int count) {
    const __m128i limit = _mm_set1_epi16(search_support2);
    const auto load = [](const std::uint16_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); };
    for (std::uint32_t k = begin; k < end; k += 8) {
        const __m128i x = load(coordinates[0] + k), y = load(coordinates[1] + k), z = load(coordinates[2] + k);
        const __m128i nearest = _mm_min_epu16(coarse_distance2(t, 0, x, y, z), coarse_distance2(t, 1, x, y, z));
        const __m128i hit = _mm_cmpeq_epi16(_mm_min_epu16(nearest, limit), nearest); // nearest ≤ limit
        const unsigned bits =
            static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(hit, _mm_setzero_si128()))) & first_bits(end - k);
        const __m128i offsets = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(compress_table8.fourfold[bits]));
        const __m128i first = _mm_set1_epi32(static_cast<int>(4 * k));
        auto* const out = reinterpret_cast<__m128i*>(list + count);
        _mm_storeu_si128(out, _mm_add_epi32(first, _mm_cvtepu8_epi32(offsets)));
        _mm_storeu_si128(out + 1, _mm_add_epi32(first, _mm_cvtepu8_epi32(_mm_srli_si128(offsets, 4))));
        count += __builtin_popcount(bits);
    }
    return count;
}

} // namespace SLUICE_ISA
} // namespace sluice::cpu

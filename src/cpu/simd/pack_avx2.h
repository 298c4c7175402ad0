// SPDX-License-Identifier: Apache-2.0
#pragma once
// Included by pack.h: x86-64-v3, 8 lanes.
#include "cpu/simd/compress_table.h"

namespace sluice::cpu {
inline namespace SLUICE_ISA {

struct Mask {
    __m256 v; ///< all bits of a lane, or none
};

SLUICE_INLINE Pack::Pack(float value) : v(_mm256_set1_ps(value)) {}

SLUICE_INLINE Pack maximum(Pack a, Pack b) { return _mm256_max_ps(a.v, b.v); }
SLUICE_INLINE Pack minimum(Pack a, Pack b) { return _mm256_min_ps(a.v, b.v); }
SLUICE_INLINE Pack absolute(Pack a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v); }
SLUICE_INLINE Pack square_root(Pack a) { return _mm256_sqrt_ps(a.v); }
/// 1/a, 1/√a: 12 bits from the instruction, doubled by one Newton step.
SLUICE_INLINE Pack reciprocal(Pack a) {
    const Pack x = _mm256_rcp_ps(a.v);
    return x * (2.0f - a * x);
}
SLUICE_INLINE Pack inverse_sqrt(Pack a) {
    const Pack x = _mm256_rsqrt_ps(a.v);
    return x * (1.5f - (0.5f * a) * (x * x));
}

SLUICE_INLINE Mask less(Pack a, Pack b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)}; }
SLUICE_INLINE Pack select(Mask mask, Pack yes, Pack no) { return _mm256_blendv_ps(no.v, yes.v, mask.v); }
SLUICE_INLINE Pack zero_unless(Mask mask, Pack a) { return _mm256_and_ps(mask.v, a.v); }
SLUICE_INLINE Mask either(Mask a, Mask b) { return {_mm256_or_ps(a.v, b.v)}; }
SLUICE_INLINE Mask no_lanes() { return {_mm256_setzero_ps()}; }
SLUICE_INLINE bool any(Mask mask) { return _mm256_movemask_ps(mask.v) != 0; }
/// The first `count` lanes: none if it is negative, all if there are fewer.
SLUICE_INLINE Mask first_lanes(int count) {
    return {
        _mm256_castsi256_ps(_mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)))};
}

SLUICE_INLINE IntPack broadcast_int(std::uint32_t a) { return {_mm256_set1_epi32(static_cast<int>(a))}; }
SLUICE_INLINE Pack difference(IntPack a, IntPack b) { return _mm256_cvtepi32_ps(_mm256_sub_epi32(a.v, b.v)); }
/// Without the given bits.
SLUICE_INLINE IntPack cleared(IntPack a, std::uint32_t bits) {
    return {_mm256_andnot_si256(_mm256_set1_epi32(static_cast<int>(bits)), a.v)};
}
/// The bits that differ.
SLUICE_INLINE IntPack differing(IntPack a, IntPack b) { return {_mm256_xor_si256(a.v, b.v)}; }
SLUICE_INLINE std::uint32_t first_lane(IntPack a) {
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm256_castsi256_si128(a.v)));
}
/// The entries of a table of eight numbers that the lowest three bits of the lanes choose.
SLUICE_INLINE Pack entry_of_eight(const float* table, IntPack index) {
    return _mm256_permutevar8x32_ps(_mm256_loadu_ps(table), index.v);
}
/// Lanes in which none of the given bits is set.
SLUICE_INLINE Mask without_bits(IntPack a, std::uint32_t bits) {
    const __m256i set = _mm256_and_si256(a.v, _mm256_set1_epi32(static_cast<int>(bits)));
    return {_mm256_castsi256_ps(_mm256_cmpeq_epi32(set, _mm256_setzero_si256()))};
}

SLUICE_INLINE float largest(Pack a) {
    const __m128 four = _mm_max_ps(_mm256_castps256_ps128(a.v), _mm256_extractf128_ps(a.v, 1));
    const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

/// 4×4 transpose inside each 128-bit lane.
SLUICE_INLINE void transpose_lanes(__m256 (&r)[4]) {
    const __m256 a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpackhi_ps(r[0], r[1]);
    const __m256 c = _mm256_unpacklo_ps(r[2], r[3]), d = _mm256_unpackhi_ps(r[2], r[3]);
    r[0] = _mm256_shuffle_ps(a, c, 0x44);
    r[1] = _mm256_shuffle_ps(a, c, 0xee);
    r[2] = _mm256_shuffle_ps(b, d, 0x44);
    r[3] = _mm256_shuffle_ps(b, d, 0xee);
}

/// Sums over the lanes of four packs.
SLUICE_INLINE Accumulator sums(Pack ax, Pack ay, Pack az, Pack rho) {
    __m256 r[4] = {ax.v, ay.v, az.v, rho.v};
    transpose_lanes(r);
    const __m256 t = (r[0] + r[1]) + (r[2] + r[3]);
    Accumulator out;
    _mm_store_ps(&out.ax, _mm256_castps256_ps128(t) + _mm256_extractf128_ps(t, 1));
    return out;
}

/// Records of the particles whose fourfold indices are listed.
SLUICE_INLINE RecordPack load_records(const Record* records, const std::uint32_t* list) {
    const auto* const base = reinterpret_cast<const char*>(records);
    const auto two = [&](int low, int high, int half) {
        const auto* const a = reinterpret_cast<const float*>(base + std::size_t(list[low]) * 8) + half;
        const auto* const b = reinterpret_cast<const float*>(base + std::size_t(list[high]) * 8) + half;
        return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(a)), _mm_load_ps(b), 1);
    };
    __m256 a[4] = {two(0, 4, 0), two(1, 5, 0), two(2, 6, 0), two(3, 7, 0)};
    __m256 b[4] = {two(0, 4, 4), two(1, 5, 4), two(2, 6, 4), two(3, 7, 4)};
    transpose_lanes(a);
    transpose_lanes(b);
    const auto ints = [](__m256 p) { return IntPack{_mm256_castps_si256(p)}; };
    return {ints(a[0]), ints(a[1]), ints(a[2]), a[3], b[0], b[1], b[2], b[3]};
}

/// Adds one lane to the rates of each listed particle.
SLUICE_INLINE void add_to_rates(Accumulator* rates, const std::uint32_t* list, Pack ax, Pack ay, Pack az, Pack rho) {
    __m256 r[4] = {ax.v, ay.v, az.v, rho.v};
    transpose_lanes(r);
    auto* const base = reinterpret_cast<char*>(rates);
    const auto add = [&](int lane, __m128 value) {
        auto* const p = reinterpret_cast<float*>(base + std::size_t(list[lane]) * 4);
        _mm_store_ps(p, _mm_load_ps(p) + value);
    };
    for (int k = 0; k < 4; ++k) {
        add(k, _mm256_castps256_ps128(r[k]));
        add(4 + k, _mm256_extractf128_ps(r[k], 1));
    }
}

SLUICE_INLINE NativeInts broadcast_short(std::uint16_t a) { return _mm256_set1_epi16(static_cast<short>(a)); }

/// Squared distances (2⁻¹³ of the support's square) of 16 candidates from target i.
SLUICE_INLINE __m256i coarse_distance2(const SearchTargets& t, int i, __m256i x, __m256i y, __m256i z) {
    const __m256i dx = _mm256_sub_epi16(x, t.x[i]), dy = _mm256_sub_epi16(y, t.y[i]), dz = _mm256_sub_epi16(z, t.z[i]);
    return _mm256_adds_epu16(_mm256_adds_epu16(_mm256_mulhrs_epi16(dx, dx), _mm256_mulhrs_epi16(dy, dy)),
                             _mm256_mulhrs_epi16(dz, dz));
}

/// Appends those of the eight fourfold indices from `first` on whose bit is set.
SLUICE_INLINE int append(std::uint32_t first, unsigned bits, std::uint32_t* list, int count) {
    const __m256i offsets =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(compress_table8.fourfold[bits])));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(list + count),
                        _mm256_add_epi32(offsets, _mm256_set1_epi32(static_cast<int>(first))));
    return count + __builtin_popcount(bits);
}

/// Appends the fourfold indices of the particles begin … end−1 that may be in reach of either target; returns how
/// many there are then.
SLUICE_INLINE int search(const std::uint16_t* const (&coordinates)[3], const SearchTargets& t, std::uint32_t begin,
                         std::uint32_t end, std::uint32_t* list, int count) {
    const __m256i limit = _mm256_set1_epi16(search_support2);
    const auto load = [](const std::uint16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); };
    for (std::uint32_t k = begin; k < end; k += 16) {
        const __m256i x = load(coordinates[0] + k), y = load(coordinates[1] + k), z = load(coordinates[2] + k);
        const __m256i nearest = _mm256_min_epu16(coarse_distance2(t, 0, x, y, z), coarse_distance2(t, 1, x, y, z));
        const __m256i hit = _mm256_cmpeq_epi16(_mm256_min_epu16(nearest, limit), nearest); // nearest ≤ limit
        // one byte a candidate; packing leaves the upper eight candidates' bytes from bit 16 on
        const auto bytes = static_cast<unsigned>(_mm256_movemask_epi8(_mm256_packs_epi16(hit, hit)));
        const unsigned bits = ((bytes & 0xffu) | (bytes >> 8 & 0xff00u)) & first_bits(end - k);
        count = append(4 * k, bits & 0xffu, list, count);
        count = append(4 * k + 32, bits >> 8, list, count);
    }
    return count;
}

} // namespace SLUICE_ISA
} // namespace sluice::cpu

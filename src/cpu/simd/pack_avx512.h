// SPDX-License-Identifier: Apache-2.0
#pragma once
// Included by pack.h: x86-64-v4, 16 lanes.

namespace sluice::cpu {
inline namespace SLUICE_ISA {

using Mask = __mmask16;

SLUICE_INLINE Pack::Pack(float value) : v(_mm512_set1_ps(value)) {}

SLUICE_INLINE Pack maximum(Pack a, Pack b) { return _mm512_max_ps(a.v, b.v); }
SLUICE_INLINE Pack minimum(Pack a, Pack b) { return _mm512_min_ps(a.v, b.v); }
SLUICE_INLINE Pack absolute(Pack a) { return _mm512_abs_ps(a.v); }
SLUICE_INLINE Pack square_root(Pack a) { return _mm512_sqrt_ps(a.v); }
/// 1/a, 1/√a: 14 bits from the instruction, doubled by one Newton step.
SLUICE_INLINE Pack reciprocal(Pack a) {
    const Pack x = _mm512_rcp14_ps(a.v);
    return x * (2.0f - a * x);
}
SLUICE_INLINE Pack inverse_sqrt(Pack a) {
    const Pack x = _mm512_rsqrt14_ps(a.v);
    return x * (1.5f - (0.5f * a) * (x * x));
}

SLUICE_INLINE Mask less(Pack a, Pack b) { return _mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ); }
SLUICE_INLINE Pack select(Mask mask, Pack yes, Pack no) { return _mm512_mask_blend_ps(mask, no.v, yes.v); }
SLUICE_INLINE Pack zero_unless(Mask mask, Pack a) { return _mm512_maskz_mov_ps(mask, a.v); }
SLUICE_INLINE Mask either(Mask a, Mask b) { return static_cast<Mask>(a | b); }
SLUICE_INLINE Mask no_lanes() { return 0; }
SLUICE_INLINE bool any(Mask mask) { return mask != 0; }
/// The first `count` lanes: none if it is negative, all if there are fewer.
SLUICE_INLINE Mask first_lanes(int count) {
    return static_cast<Mask>(count >= Pack::width ? 0xffffu : count > 0 ? (1u << count) - 1 : 0u);
}

SLUICE_INLINE IntPack broadcast_int(std::uint32_t a) { return {_mm512_set1_epi32(static_cast<int>(a))}; }
SLUICE_INLINE Pack difference(IntPack a, IntPack b) { return _mm512_cvtepi32_ps(_mm512_sub_epi32(a.v, b.v)); }
/// Without the given bits.
SLUICE_INLINE IntPack cleared(IntPack a, std::uint32_t bits) {
    return {_mm512_andnot_si512(_mm512_set1_epi32(static_cast<int>(bits)), a.v)};
}
/// The bits that differ.
SLUICE_INLINE IntPack differing(IntPack a, IntPack b) { return {_mm512_xor_si512(a.v, b.v)}; }
SLUICE_INLINE std::uint32_t first_lane(IntPack a) {
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm512_castsi512_si128(a.v)));
}
/// The entries of a table of eight numbers that the lowest three bits of the lanes choose.
SLUICE_INLINE Pack entry_of_eight(const float* table, IntPack index) {
    const __m512 twice = _mm512_broadcast_f32x8(_mm256_loadu_ps(table)); // four bits choose
    return _mm512_permutexvar_ps(index.v, twice);
}
/// Lanes in which none of the given bits is set.
SLUICE_INLINE Mask without_bits(IntPack a, std::uint32_t bits) {
    return _mm512_testn_epi32_mask(a.v, _mm512_set1_epi32(static_cast<int>(bits)));
}

SLUICE_INLINE float largest(Pack a) { return _mm512_reduce_max_ps(a.v); }

/// 4×4 transpose inside each 128-bit lane.
SLUICE_INLINE void transpose_lanes(__m512 (&r)[4]) {
    const __m512 a = _mm512_unpacklo_ps(r[0], r[1]), b = _mm512_unpackhi_ps(r[0], r[1]);
    const __m512 c = _mm512_unpacklo_ps(r[2], r[3]), d = _mm512_unpackhi_ps(r[2], r[3]);
    r[0] = _mm512_shuffle_ps(a, c, 0x44);
    r[1] = _mm512_shuffle_ps(a, c, 0xee);
    r[2] = _mm512_shuffle_ps(b, d, 0x44);
    r[3] = _mm512_shuffle_ps(b, d, 0xee);
}

/// Sums over the lanes of four packs.
SLUICE_INLINE Accumulator sums(Pack ax, Pack ay, Pack az, Pack rho) {
    __m512 r[4] = {ax.v, ay.v, az.v, rho.v};
    transpose_lanes(r);
    const __m512 t = (r[0] + r[1]) + (r[2] + r[3]);
    const __m256 half = _mm512_castps512_ps256(t) + _mm512_extractf32x8_ps(t, 1);
    Accumulator out;
    _mm_store_ps(&out.ax, _mm256_castps256_ps128(half) + _mm256_extractf128_ps(half, 1));
    return out;
}

/// Records of the particles whose fourfold indices are listed.
SLUICE_INLINE RecordPack load_records(const Record* records, const std::uint32_t* list) {
    const auto* const base = reinterpret_cast<const char*>(records);
    const auto two = [&](int low, int high) {
        const __m256 a = _mm256_load_ps(reinterpret_cast<const float*>(base + std::size_t(list[low]) * 8));
        const auto* const b = reinterpret_cast<const __m256*>(base + std::size_t(list[high]) * 8);
        return _mm512_mask_broadcast_f32x8(_mm512_castps256_ps512(a), 0xff00, *b);
    };
    __m512 a[4] = {two(0, 4), two(1, 5), two(2, 6), two(3, 7)};
    __m512 b[4] = {two(8, 12), two(9, 13), two(10, 14), two(11, 15)};
    transpose_lanes(a); // each: 4 lanes of the first half of a record, 4 of the second, twice
    transpose_lanes(b);
    const auto first = [](__m512 p, __m512 q) { return _mm512_shuffle_f32x4(p, q, 0x88); };
    const auto second = [](__m512 p, __m512 q) { return _mm512_shuffle_f32x4(p, q, 0xdd); };
    const auto ints = [](__m512 p) { return IntPack{_mm512_castps_si512(p)}; };
    return {ints(first(a[0], b[0])), ints(first(a[1], b[1])), ints(first(a[2], b[2])), first(a[3], b[3]),
            second(a[0], b[0]),      second(a[1], b[1]),      second(a[2], b[2]),      second(a[3], b[3])};
}

/// Adds one lane to the rates of each listed particle.
SLUICE_INLINE void add_to_rates(Accumulator* rates, const std::uint32_t* list, Pack ax, Pack ay, Pack az, Pack rho) {
    __m512 r[4] = {ax.v, ay.v, az.v, rho.v};
    transpose_lanes(r);
    auto* const base = reinterpret_cast<char*>(rates);
    const auto add = [&](int lane, __m128 value) {
        auto* const p = reinterpret_cast<float*>(base + std::size_t(list[lane]) * 4);
        _mm_store_ps(p, _mm_load_ps(p) + value);
    };
    for (int k = 0; k < 4; ++k) {
        add(k, _mm512_castps512_ps128(r[k]));
        add(4 + k, _mm512_extractf32x4_ps(r[k], 1));
        add(8 + k, _mm512_extractf32x4_ps(r[k], 2));
        add(12 + k, _mm512_extractf32x4_ps(r[k], 3));
    }
}

SLUICE_INLINE NativeInts broadcast_short(std::uint16_t a) { return _mm512_set1_epi16(static_cast<short>(a)); }

/// Squared distances (2⁻¹³ of the support's square) of 32 candidates from target i.
SLUICE_INLINE __m512i coarse_distance2(const SearchTargets& t, int i, __m512i x, __m512i y, __m512i z) {
    const __m512i dx = _mm512_sub_epi16(x, t.x[i]), dy = _mm512_sub_epi16(y, t.y[i]), dz = _mm512_sub_epi16(z, t.z[i]);
    return _mm512_adds_epu16(_mm512_adds_epu16(_mm512_mulhrs_epi16(dx, dx), _mm512_mulhrs_epi16(dy, dy)),
                             _mm512_mulhrs_epi16(dz, dz));
}

/// Appends the fourfold indices of the particles begin … end−1 that may be in reach of either target; returns how
/// many there are then.
SLUICE_INLINE int search(const std::uint16_t* const (&coordinates)[3], const SearchTargets& t, std::uint32_t begin,
                         std::uint32_t end, std::uint32_t* list, int count) {
    const __m512i limit = _mm512_set1_epi16(search_support2);
    const __m512i four_lanes = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
    for (std::uint32_t k = begin; k < end; k += 32) {
        const __m512i x = _mm512_loadu_si512(coordinates[0] + k), y = _mm512_loadu_si512(coordinates[1] + k),
                      z = _mm512_loadu_si512(coordinates[2] + k);
        const __m512i nearest = _mm512_min_epu16(coarse_distance2(t, 0, x, y, z), coarse_distance2(t, 1, x, y, z));
        const __mmask32 hits = _mm512_mask_cmple_epu16_mask(first_bits(end - k), nearest, limit);
        const __m512i index = _mm512_add_epi32(four_lanes, _mm512_set1_epi32(static_cast<int>(4 * k)));
        const __m512i low = _mm512_maskz_compress_epi32(static_cast<__mmask16>(hits), index);
        const __m512i high = _mm512_maskz_compress_epi32(static_cast<__mmask16>(_kshiftri_mask32(hits, 16)),
                                                         _mm512_add_epi32(index, _mm512_set1_epi32(64)));
        const unsigned bits = _cvtmask32_u32(hits);
        std::uint32_t* const next = list + count;
        _mm512_storeu_si512(next, low);
        _mm512_storeu_si512(next + __builtin_popcount(bits & 0xffffu), high);
        count += __builtin_popcount(bits);
    }
    return count;
}

} // namespace SLUICE_ISA
} // namespace sluice::cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
// Included by pack.h: AArch64 with NEON (Advanced SIMD), 4 lanes.
#include "cpu/simd/compress_table.h"

#include <cstring>

namespace sluice::cpu {
inline namespace SLUICE_ISA {

struct Mask {
    uint32x4_t v; ///< all bits of a lane, or none
};

SLUICE_INLINE Pack::Pack(float value) : v(vdupq_n_f32(value)) {}

// As on x86-64 the second operand where one is not a number; the instructions of this processor would give that one.
SLUICE_INLINE Pack maximum(Pack a, Pack b) { return vbslq_f32(vcgtq_f32(a.v, b.v), a.v, b.v); }
SLUICE_INLINE Pack minimum(Pack a, Pack b) { return vbslq_f32(vcltq_f32(a.v, b.v), a.v, b.v); }
SLUICE_INLINE Pack absolute(Pack a) { return vabsq_f32(a.v); }
SLUICE_INLINE Pack square_root(Pack a) { return vsqrtq_f32(a.v); }
// Quotients and roots as they are: two Newton steps from the processor's estimates of eight bits leave larger errors.
SLUICE_INLINE Pack reciprocal(Pack a) { return vdivq_f32(vdupq_n_f32(1.0f), a.v); }
SLUICE_INLINE Pack inverse_sqrt(Pack a) { return vdivq_f32(vdupq_n_f32(1.0f), vsqrtq_f32(a.v)); }

SLUICE_INLINE Mask less(Pack a, Pack b) { return {vcltq_f32(a.v, b.v)}; }
SLUICE_INLINE Pack select(Mask mask, Pack yes, Pack no) { return vbslq_f32(mask.v, yes.v, no.v); }
SLUICE_INLINE Pack zero_unless(Mask mask, Pack a) {
    return vreinterpretq_f32_u32(vandq_u32(mask.v, vreinterpretq_u32_f32(a.v)));
}
SLUICE_INLINE Mask either(Mask a, Mask b) { return {vorrq_u32(a.v, b.v)}; }
SLUICE_INLINE Mask no_lanes() { return {vdupq_n_u32(0)}; }
SLUICE_INLINE bool any(Mask mask) { return vmaxvq_u32(mask.v) != 0; }
/// The first `count` lanes: none if it is negative, all if there are fewer.
SLUICE_INLINE Mask first_lanes(int count) {
    const int32x4_t lanes = {0, 1, 2, 3};
    return {vcgtq_s32(vdupq_n_s32(count), lanes)};
}

SLUICE_INLINE IntPack broadcast_int(std::uint32_t a) { return {vdupq_n_s32(static_cast<int>(a))}; }
SLUICE_INLINE Pack difference(IntPack a, IntPack b) { return vcvtq_f32_s32(vsubq_s32(a.v, b.v)); }
/// Without the given bits.
SLUICE_INLINE IntPack cleared(IntPack a, std::uint32_t bits) {
    return {vbicq_s32(a.v, vdupq_n_s32(static_cast<int>(bits)))};
}
/// The bits that differ.
SLUICE_INLINE IntPack differing(IntPack a, IntPack b) { return {veorq_s32(a.v, b.v)}; }
SLUICE_INLINE std::uint32_t first_lane(IntPack a) { return static_cast<std::uint32_t>(vgetq_lane_s32(a.v, 0)); }
/// The entries of a table of eight numbers that the lowest three bits of the lanes choose.
SLUICE_INLINE Pack entry_of_eight(const float* table, IntPack index) {
    alignas(16) std::uint32_t lane[4];
    vst1q_u32(lane, vreinterpretq_u32_s32(index.v));
    alignas(16) float entry[4];
    for (int k = 0; k < 4; ++k) entry[k] = table[lane[k] & 7];
    return vld1q_f32(entry);
}
/// Lanes in which none of the given bits is set.
SLUICE_INLINE Mask without_bits(IntPack a, std::uint32_t bits) {
    return {vceqzq_s32(vandq_s32(a.v, vdupq_n_s32(static_cast<int>(bits))))};
}

SLUICE_INLINE float largest(Pack a) { return vmaxnmvq_f32(a.v); }

SLUICE_INLINE void transpose(float32x4_t (&r)[4]) {
    const auto wide = [](float32x4_t p) { return vreinterpretq_f64_f32(p); };
    const auto narrow = [](float64x2_t p) { return vreinterpretq_f32_f64(p); };
    const float64x2_t a = wide(vtrn1q_f32(r[0], r[1])), b = wide(vtrn2q_f32(r[0], r[1]));
    const float64x2_t c = wide(vtrn1q_f32(r[2], r[3])), d = wide(vtrn2q_f32(r[2], r[3]));
    r[0] = narrow(vtrn1q_f64(a, c));
    r[1] = narrow(vtrn1q_f64(b, d));
    r[2] = narrow(vtrn2q_f64(a, c));
    r[3] = narrow(vtrn2q_f64(b, d));
}

/// Four floats at any address, whatever type they have there.
SLUICE_INLINE float32x4_t load_four(const void* from) {
    float32x4_t four;
    std::memcpy(&four, from, sizeof four);
    return four;
}
SLUICE_INLINE void store_four(void* to, float32x4_t four) { std::memcpy(to, &four, sizeof four); }

/// Sums over the lanes of four packs.
SLUICE_INLINE Accumulator sums(Pack ax, Pack ay, Pack az, Pack rho) {
    float32x4_t r[4] = {ax.v, ay.v, az.v, rho.v};
    transpose(r);
    Accumulator out;
    store_four(&out, (r[0] + r[1]) + (r[2] + r[3]));
    return out;
}

/// Records of the particles whose fourfold indices are listed.
SLUICE_INLINE RecordPack load_records(const Record* records, const std::uint32_t* list) {
    const auto* const base = reinterpret_cast<const char*>(records);
    const auto load = [&](int lane, int half) { return load_four(base + std::size_t(list[lane]) * 8 + half); };
    float32x4_t a[4] = {load(0, 0), load(1, 0), load(2, 0), load(3, 0)};
    float32x4_t b[4] = {load(0, 16), load(1, 16), load(2, 16), load(3, 16)};
    transpose(a);
    transpose(b);
    const auto ints = [](float32x4_t p) { return IntPack{vreinterpretq_s32_f32(p)}; };
    return {ints(a[0]), ints(a[1]), ints(a[2]), a[3], b[0], b[1], b[2], b[3]};
}

/// Adds one lane to the rates of each listed particle.
SLUICE_INLINE void add_to_rates(Accumulator* rates, const std::uint32_t* list, Pack ax, Pack ay, Pack az, Pack rho) {
    float32x4_t r[4] = {ax.v, ay.v, az.v, rho.v};
    transpose(r);
    auto* const base = reinterpret_cast<char*>(rates);
    for (int lane = 0; lane < 4; ++lane) {
        char* const p = base + std::size_t(list[lane]) * 4;
        store_four(p, load_four(p) + r[lane]);
    }
}

SLUICE_INLINE NativeInts broadcast_short(std::uint16_t a) { return vreinterpretq_s32_u16(vdupq_n_u16(a)); }

/// Squared distances (2⁻¹³ of the support's square) of 8 candidates from target i.
SLUICE_INLINE uint16x8_t coarse_distance2(const SearchTargets& t, int i, int16x8_t x, int16x8_t y, int16x8_t z) {
    const auto square = [](int16x8_t a, NativeInts b) {
        const int16x8_t d = vsubq_s16(a, vreinterpretq_s16_s32(b));
        return vreinterpretq_u16_s16(vqrdmulhq_s16(d, d));
    };
    return vqaddq_u16(vqaddq_u16(square(x, t.x[i]), square(y, t.y[i])), square(z, t.z[i]));
}

/// Appends the fourfold indices of the particles begin … end−1 that may be in reach of either target; returns how
/// many there are then.
SLUICE_INLINE int search(const std::uint16_t* const (&coordinates)[3], const SearchTargets& t, std::uint32_t begin,
                         std::uint32_t end, std::uint32_t* list, int count) {
    const uint16x8_t limit = vdupq_n_u16(search_support2);
    const uint8x8_t bit_of_lane = {1, 2, 4, 8, 16, 32, 64, 128};
    const auto load = [](const std::uint16_t* p) { return vreinterpretq_s16_u16(vld1q_u16(p)); };
    for (std::uint32_t k = begin; k < end; k += 8) {
        const int16x8_t x = load(coordinates[0] + k), y = load(coordinates[1] + k), z = load(coordinates[2] + k);
        const uint16x8_t nearest = vminq_u16(coarse_distance2(t, 0, x, y, z), coarse_distance2(t, 1, x, y, z));
        const uint8x8_t hit = vmovn_u16(vcleq_u16(nearest, limit));
        const unsigned bits = vaddv_u8(vand_u8(hit, bit_of_lane)) & first_bits(end - k);
        const uint16x8_t offsets = vmovl_u8(vld1_u8(compress_table8.fourfold[bits]));
        const uint32x4_t first = vdupq_n_u32(4 * k);
        vst1q_u32(list + count, vaddw_u16(first, vget_low_u16(offsets)));
        vst1q_u32(list + count + 4, vaddw_high_u16(first, offsets));
        count += __builtin_popcount(bits);
    }
    return count;
}

} // namespace SLUICE_ISA
} // namespace sluice::cpu

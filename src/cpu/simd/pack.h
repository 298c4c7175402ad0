// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include "physics/math.h"
#include <cstdint>
#ifdef __aarch64__
#include <arm_neon.h>
#else
#include <immintrin.h>
#endif

// A pack of floats, one a lane: the number type with which the formulas of sph/ run on the vector unit. What is the
// same for every instruction set is here, written over the compiler's vector types (whose + − × ÷ it fuses where it
// can); what is not, in pack_neon.h, pack_sse.h, pack_avx2.h and pack_avx512.h.

namespace sluice::cpu {
inline namespace SLUICE_ISA {

#if defined(__aarch64__)
using NativeFloats = float32x4_t;
using NativeInts = int32x4_t;
#elif defined(__AVX512BW__)
using NativeFloats = __m512;
using NativeInts = __m512i;
#elif defined(__AVX2__)
using NativeFloats = __m256;
using NativeInts = __m256i;
#else
using NativeFloats = __m128;
using NativeInts = __m128i;
#endif

struct Pack {
    static constexpr int width = sizeof(NativeFloats) / sizeof(float);
    NativeFloats v;

    Pack() = default;
    SLUICE_INLINE Pack(NativeFloats native) : v(native) {}
    SLUICE_INLINE explicit Pack(float value);
    SLUICE_INLINE Pack& operator+=(Pack b) {
        v = v + b.v;
        return *this;
    }
};

SLUICE_INLINE Pack operator+(Pack a, Pack b) { return a.v + b.v; }
SLUICE_INLINE Pack operator-(Pack a, Pack b) { return a.v - b.v; }
SLUICE_INLINE Pack operator*(Pack a, Pack b) { return a.v * b.v; }
SLUICE_INLINE Pack operator-(Pack a) { return -a.v; }
SLUICE_INLINE Pack operator+(float a, Pack b) { return Pack(a) + b; }
SLUICE_INLINE Pack operator+(Pack a, float b) { return a + Pack(b); }
SLUICE_INLINE Pack operator-(float a, Pack b) { return Pack(a) - b; }
SLUICE_INLINE Pack operator-(Pack a, float b) { return a - Pack(b); }
SLUICE_INLINE Pack operator*(float a, Pack b) { return Pack(a) * b; }
SLUICE_INLINE Pack operator*(Pack a, float b) { return a * Pack(b); }

/// Lattice coordinates, one a lane.
struct IntPack {
    NativeInts v;
};

/// Records of Pack::width particles, one a lane.
struct RecordPack {
    IntPack x, y, z;
    Pack pressure_term, vx, vy, vz, rho;
};

/// A pair of particles whose neighbours are searched together: the upper halves of their lattice coordinates.
struct SearchTargets {
    NativeInts x[2], y[2], z[2]; ///< 16-bit lanes
};

/// The lowest `count` bits, all if there are fewer.
SLUICE_INLINE std::uint32_t first_bits(std::uint32_t count) { return count < 32 ? (1u << count) - 1 : 0xffffffffu; }

/// Squared distances in the coarse search count 2⁻¹³ of the squared support radius. Each coordinate is cut to 16
/// bits, which puts a distance off by up to √3 units of the coordinate, and each square is rounded: 4 covers both.
inline constexpr short search_support2 = 8192 + 4;

} // namespace SLUICE_ISA
} // namespace sluice::cpu

template <>
struct sluice::sph::ScalarOf<sluice::cpu::Pack> {
    using type = float;
};

#if defined(__aarch64__)
#include "cpu/simd/pack_neon.h"
#elif defined(__AVX512BW__)
#include "cpu/simd/pack_avx512.h"
#elif defined(__AVX2__)
#include "cpu/simd/pack_avx2.h"
#else
#include "cpu/simd/pack_sse.h"
#endif

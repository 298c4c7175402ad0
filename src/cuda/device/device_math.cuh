// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/math.h"

// What sph/math.h leaves to the GPU.

#ifdef __CUDA_ARCH__
namespace sluice::sph {
inline namespace SLUICE_ISA {

// one instruction each, right to 1 and 2 units in the last place; the rounded ones bring a branch into every pair
__device__ inline __attribute__((always_inline)) float reciprocal(float a) {
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}
__device__ inline __attribute__((always_inline)) float inverse_sqrt(float a) {
    float r;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
}

} // namespace SLUICE_ISA
} // namespace sluice::sph
#endif

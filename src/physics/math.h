// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include <cmath>

// The few operations that the formulas need beyond + − × ÷, for the plain number types. A SIMD pack brings its own
// overloads in its own namespace (found by argument-dependent lookup), so that one formula serves every number type.

namespace sluice::sph {
inline namespace SLUICE_ISA {

SLUICE_INLINE float maximum(float a, float b) { return a > b ? a : b; }
SLUICE_INLINE double maximum(double a, double b) { return a > b ? a : b; }
SLUICE_INLINE float minimum(float a, float b) { return a < b ? a : b; }
SLUICE_INLINE double minimum(double a, double b) { return a < b ? a : b; }
/// max(a, 0) for a ≤ 1. A GPU clamps to [0, 1] as part of the addition before.
template <class Real>
SLUICE_INLINE Real positive_part(Real a) {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(Real) == sizeof(float)) return __saturatef(a);
#endif
    return maximum(a, Real(0));
}
SLUICE_INLINE float absolute(float a) { return fabsf(a); }
SLUICE_INLINE double absolute(double a) { return fabs(a); }
SLUICE_INLINE float square_root(float a) { return sqrtf(a); }
SLUICE_INLINE double square_root(double a) { return sqrt(a); }

/// 1/a and 1/sqrt(a) to about the accuracy of the number type.
#ifdef __CUDA_ARCH__
// the instructions of a GPU: cuda/device/device_math.cuh
__device__ inline float reciprocal(float a);
__device__ inline float inverse_sqrt(float a);
#else
SLUICE_INLINE float reciprocal(float a) { return 1.0f / a; }
SLUICE_INLINE float inverse_sqrt(float a) { return 1.0f / sqrtf(a); }
#endif
SLUICE_INLINE double reciprocal(double a) { return 1.0 / a; }
SLUICE_INLINE double inverse_sqrt(double a) { return 1.0 / sqrt(a); }

} // namespace SLUICE_ISA

/// The scalar behind a number type: itself, or the lane type of a SIMD pack (which specialises this).
template <class Real>
struct ScalarOf {
    using type = Real;
};
template <class Real>
using Scalar = typename ScalarOf<Real>::type;

} // namespace sluice::sph

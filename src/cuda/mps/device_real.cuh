// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/operators.h"

// A double on the device: the number type with which our kernels run the MPS operators. The library's roots and
// quotients of doubles have branches for numbers that do not occur here (zeros, subnormals, infinities).

namespace sluice::cuda {

struct DeviceReal {
    double v;

    DeviceReal() = default;
    SLUICE_INLINE explicit DeviceReal(double value) : v(value) {}
    SLUICE_INLINE DeviceReal& operator+=(DeviceReal b) {
        v += b.v;
        return *this;
    }
};

SLUICE_INLINE DeviceReal operator+(DeviceReal a, DeviceReal b) { return DeviceReal(a.v + b.v); }
SLUICE_INLINE DeviceReal operator-(DeviceReal a, DeviceReal b) { return DeviceReal(a.v - b.v); }
SLUICE_INLINE DeviceReal operator*(DeviceReal a, DeviceReal b) { return DeviceReal(a.v * b.v); }
SLUICE_INLINE bool operator<(DeviceReal a, double b) { return a.v < b; }
SLUICE_INLINE DeviceReal absolute(DeviceReal a) { return DeviceReal(fabs(a.v)); }

#ifdef __CUDACC__

/// By the sign bit, on the units for integers: those for doubles are what the operators wait for.
__device__ inline __attribute__((always_inline)) DeviceReal positive_part(DeviceReal a) {
    const int high = __double2hiint(a.v), keep = ~(high >> 31);
    return DeviceReal(__hiloint2double(high & keep, __double2loint(a.v) & keep));
}

/// 20 bits and more from the instruction, and all from one step of third order.
__device__ inline __attribute__((always_inline)) DeviceReal inverse_sqrt(DeviceReal a) {
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a.v));
    const double rest = fma(-(a.v * y), y, 1.0);
    return DeviceReal(fma(y * rest, fma(rest, 0.375, 0.5), y));
}
__device__ inline __attribute__((always_inline)) DeviceReal square_root(DeviceReal a) { return a * inverse_sqrt(a); }

/// Likewise.
__device__ inline __attribute__((always_inline)) DeviceReal reciprocal(DeviceReal a) {
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a.v));
    const double rest = fma(-a.v, y, 1.0);
    return DeviceReal(fma(y * rest, 1.0 + rest, y));
}

#endif

} // namespace sluice::cuda

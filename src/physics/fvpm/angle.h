// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/math.h"

namespace sluice::fvpm {
inline namespace SLUICE_ISA {

/// The angle in [−π, π] of the direction (c, s), which need not have length 1 and is not (0, 0). It has no branches, so
/// that compilers vectorise loops over it; it is exact to 3e-16. The argument of the arcus tangent is reduced to
/// |t| ≤ tan(π/8), where its Chebyshev approximation of degree 25 has an error of 5e-20.
template <class T>
SLUICE_INLINE T angle_of(T s, T c) {
    constexpr T pi = T(3.14159265358979323846);
    const T x = sph::absolute(c), y = sph::absolute(s);
    const T big = sph::maximum(x, y), small = sph::minimum(x, y);
    const bool turned = small > T(0.41421356237309504880) * big; // by π/4
    const T t = (turned ? small - big : small) / (turned ? small + big : big);
    const T z = t * t;
    T p = T(0.015113765096600924669);
    p = p * z + T(-0.033387824501211951519);
    p = p * z + T(0.044995007289840320092);
    p = p * z + T(-0.052173125740615910016);
    p = p * z + T(0.058768340046141606641);
    p = p * z + T(-0.066662052599765261879);
    p = p * z + T(0.076922810999377432501);
    p = p * z + T(-0.090909080590311910269);
    p = p * z + T(0.11111111085322108759);
    p = p * z + T(-0.14285714285329708164);
    p = p * z + T(0.19999999999997013892);
    p = p * z + T(-0.33333333333333324206);
    T angle = t + t * (z * p);
    angle = turned ? pi / 4 + angle : angle;
    angle = y > x ? pi / 2 - angle : angle;
    angle = c < 0 ? pi - angle : angle;
    return s < 0 ? -angle : angle;
}

} // namespace SLUICE_ISA
} // namespace sluice::fvpm

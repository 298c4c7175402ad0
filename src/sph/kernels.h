// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/constants.h"
#include "sph/math.h"

// Smoothing kernels W(r, h) with support radius 2h.
//
//   q = r/h      W(q) = α_D·w(q)      ∇_a W_ab = F(r)·r_ab  with  F = (dW/dr)/r ≤ 0
//
// A kernel is a type with static functions of the shape only (α_D and h come in as factors), so that a pair costs
// no more than its polynomial.

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// Cubic spline (A.3; Monaghan & Lattanzio 1985). Both pieces as truncated powers, free of branches:
/// w = s³/4 − t³ with s = (2−q)₊, t = (1−q)₊.
struct CubicSpline {
    static constexpr KernelType type = KernelType::cubic_spline;
    static constexpr bool tensile_correction = true;

    template <class Real>
    SLUICE_INLINE static Real value(Real q) {
        using S = Scalar<Real>;
        const Real s = maximum(S(2) - q, Real(S(0)));
        const Real t = maximum(S(1) - q, Real(S(0)));
        return S(0.25) * (s * s * s) - t * t * t;
    }
    /// dw/dq
    template <class Real>
    SLUICE_INLINE static Real derivative(Real q) {
        using S = Scalar<Real>;
        const Real s = maximum(S(2) - q, Real(S(0)));
        const Real t = maximum(S(1) - q, Real(S(0)));
        return S(3) * (t * t) - S(0.75) * (s * s);
    }
    /// (dw/dq)/q, given q and 1/q.
    template <class Real>
    SLUICE_INLINE static Real derivative_over_q(Real q, Real inverse_q) {
        return derivative(q) * inverse_q;
    }
    /// α_D: 1/(π h³) in 3-D, 10/(7π h²) in 2-D.
    SLUICE_HD static double normalisation(double h, bool two_d) {
        constexpr double pi = 3.14159265358979323846;
        return two_d ? 10 / (7 * pi * h * h) : 1 / (pi * h * h * h);
    }
};

/// Wendland (1995) C2: w = (1−q/2)⁴(2q+1) for q ≤ 2.
struct Wendland {
    static constexpr KernelType type = KernelType::wendland;
    static constexpr bool tensile_correction = false;

    template <class Real>
    SLUICE_INLINE static Real value(Real q) {
        using S = Scalar<Real>;
        const Real s = maximum(S(1) - S(0.5) * q, Real(S(0)));
        return (s * s) * (s * s) * (S(2) * q + S(1));
    }
    template <class Real>
    SLUICE_INLINE static Real derivative(Real q) {
        return derivative_over_q(q, q) * q;
    }
    /// −5(1−q/2)³: the division by q is done on paper.
    template <class Real>
    SLUICE_INLINE static Real derivative_over_q(Real q, Real /*inverse_q*/) {
        using S = Scalar<Real>;
        const Real s = maximum(S(1) - S(0.5) * q, Real(S(0)));
        return S(-5) * (s * s * s);
    }
    /// α_D: 21/(16π h³) in 3-D, 7/(4π h²) in 2-D.
    SLUICE_HD static double normalisation(double h, bool two_d) {
        constexpr double pi = 3.14159265358979323846;
        return two_d ? 7 / (4 * pi * h * h) : 21 / (16 * pi * h * h * h);
    }
};

/// Calls `use(Kernel{})` with the kernel type of a run-time choice.
template <class Use>
decltype(auto) with_kernel(KernelType type, Use&& use) {
    return type == KernelType::cubic_spline ? use(CubicSpline{}) : use(Wendland{});
}

} // namespace SLUICE_ISA
} // namespace sluice::sph

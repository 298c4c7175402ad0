// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "physics/math.h"

// Smoothing kernels W(r, h) with support radius 2h.
//
//   q = r/h      W(q) = α_D·w(q)      ∇_a W_ab = F(r)·r_ab  with  F = (dW/dr)/r ≤ 0
//
// A kernel is a type with static functions of the shape only (α_D and h come in as factors), so that a pair costs
// no more than its polynomial.

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// Cubic spline (A.3; Monaghan & Lattanzio 1985). Both pieces as truncated powers, free of branches:
/// w = 2s³ − t³ with s = (1−q/2)₊, t = (1−q)₊.
struct CubicSpline {
    static constexpr KernelType type = KernelType::cubic_spline;
    static constexpr bool tensile_correction = true;
    static constexpr double derivative_scale = 3; ///< dw/dq over its shape
    static constexpr bool divides_by_q = true;

    template <class Real>
    SLUICE_INLINE static Real value(Real q) {
        using S = Scalar<Real>;
        const Real s = positive_part(S(1) - S(0.5) * q);
        const Real t = positive_part(S(1) - q);
        return S(2) * (s * (s * s)) - t * (t * t);
    }
    /// (dw/dq)/(3q), given q and 1/q.
    template <class Real>
    SLUICE_INLINE static Real derivative_shape_over_q(Real q, Real inverse_q) {
        using S = Scalar<Real>;
        const Real s = positive_part(S(1) - S(0.5) * q);
        const Real t = positive_part(S(1) - q);
        return (t * t - s * s) * inverse_q;
    }
    /// dw/dq
    template <class Real>
    SLUICE_INLINE static Real derivative(Real q) {
        return Scalar<Real>(derivative_scale) * derivative_shape_over_q(q, Real(Scalar<Real>(1)));
    }
    /// (dw/dq)/q, given q and 1/q.
    template <class Real>
    SLUICE_INLINE static Real derivative_over_q(Real q, Real inverse_q) {
        return Scalar<Real>(derivative_scale) * derivative_shape_over_q(q, inverse_q);
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
    static constexpr double derivative_scale = -5; ///< dw/dq over its shape
    static constexpr bool divides_by_q = false;    ///< on paper already

    template <class Real>
    SLUICE_INLINE static Real value(Real q) {
        using S = Scalar<Real>;
        const Real s = positive_part(S(1) - S(0.5) * q);
        return (s * s) * (s * s) * (S(2) * q + S(1));
    }
    /// −(dw/dq)/(5q) = (1−q/2)³: the division by q is done on paper.
    template <class Real>
    SLUICE_INLINE static Real derivative_shape_over_q(Real q, Real /*inverse_q*/) {
        using S = Scalar<Real>;
        const Real s = positive_part(S(1) - S(0.5) * q);
        return s * (s * s);
    }
    template <class Real>
    SLUICE_INLINE static Real derivative(Real q) {
        return derivative_over_q(q, q) * q;
    }
    template <class Real>
    SLUICE_INLINE static Real derivative_over_q(Real q, Real inverse_q) {
        return Scalar<Real>(derivative_scale) * derivative_shape_over_q(q, inverse_q);
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

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
    static constexpr bool general_only = false; ///< whether only the general pair formula is compiled for it

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

/// What Wendland's (1995) kernels share: the division of dw/dq by q is done on paper. Their Fourier transforms are
/// positive, so that particles do not pair however many neighbours they have (Dehnen & Aly 2012).
template <class K>
struct WendlandKernel {
    static constexpr bool tensile_correction = false;
    static constexpr bool divides_by_q = false; ///< on paper already

    template <class Real>
    SLUICE_INLINE static Real derivative(Real q) {
        return derivative_over_q(q, q) * q;
    }
    template <class Real>
    SLUICE_INLINE static Real derivative_over_q(Real q, Real inverse_q) {
        return Scalar<Real>(K::derivative_scale) * K::derivative_shape_over_q(q, inverse_q);
    }
};

/// Wendland (1995) C2: w = (1−q/2)⁴(2q+1) for q ≤ 2.
struct Wendland : WendlandKernel<Wendland> {
    static constexpr KernelType type = KernelType::wendland;
    static constexpr double derivative_scale = -5; ///< dw/dq over its shape
    static constexpr bool general_only = false;

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
    /// α_D: 21/(16π h³) in 3-D, 7/(4π h²) in 2-D.
    SLUICE_HD static double normalisation(double h, bool two_d) {
        constexpr double pi = 3.14159265358979323846;
        return two_d ? 7 / (4 * pi * h * h) : 21 / (16 * pi * h * h * h);
    }
};

/// Wendland (1995) C4: w = (1−q/2)⁶(35q²/12 + 3q + 1) for q ≤ 2.
struct WendlandC4 : WendlandKernel<WendlandC4> {
    static constexpr KernelType type = KernelType::wendland_c4;
    static constexpr bool general_only = true;
    static constexpr double derivative_scale = -14.0 / 3;

    template <class Real>
    SLUICE_INLINE static Real value(Real q) {
        using S = Scalar<Real>;
        const Real s = positive_part(S(1) - S(0.5) * q), s2 = s * s;
        return (s2 * s2 * s2) * ((S(35.0 / 12) * q + S(3)) * q + S(1));
    }
    /// −3 (dw/dq)/(14q) = (1−q/2)⁵(5q/2 + 1)
    template <class Real>
    SLUICE_INLINE static Real derivative_shape_over_q(Real q, Real /*inverse_q*/) {
        using S = Scalar<Real>;
        const Real s = positive_part(S(1) - S(0.5) * q), s2 = s * s;
        return (s2 * s2) * s * (S(2.5) * q + S(1));
    }
    /// α_D: 495/(256π h³) in 3-D, 9/(4π h²) in 2-D.
    SLUICE_HD static double normalisation(double h, bool two_d) {
        constexpr double pi = 3.14159265358979323846;
        return two_d ? 9 / (4 * pi * h * h) : 495 / (256 * pi * h * h * h);
    }
};

/// Wendland (1995) C6: w = (1−q/2)⁸(4q³ + 25q²/4 + 4q + 1) for q ≤ 2.
struct WendlandC6 : WendlandKernel<WendlandC6> {
    static constexpr KernelType type = KernelType::wendland_c6;
    static constexpr bool general_only = true;
    static constexpr double derivative_scale = -5.5;

    template <class Real>
    SLUICE_INLINE static Real value(Real q) {
        using S = Scalar<Real>;
        const Real s = positive_part(S(1) - S(0.5) * q), s2 = s * s, s4 = s2 * s2;
        return (s4 * s4) * (((S(4) * q + S(6.25)) * q + S(4)) * q + S(1));
    }
    /// −2 (dw/dq)/(11q) = (1−q/2)⁷(4q² + 7q/2 + 1)
    template <class Real>
    SLUICE_INLINE static Real derivative_shape_over_q(Real q, Real /*inverse_q*/) {
        using S = Scalar<Real>;
        const Real s = positive_part(S(1) - S(0.5) * q), s2 = s * s;
        return (s2 * s2) * (s2 * s) * ((S(4) * q + S(3.5)) * q + S(1));
    }
    /// α_D: 1365/(512π h³) in 3-D, 78/(28π h²) in 2-D.
    SLUICE_HD static double normalisation(double h, bool two_d) {
        constexpr double pi = 3.14159265358979323846;
        return two_d ? 78 / (28 * pi * h * h) : 1365 / (512 * pi * h * h * h);
    }
};

/// Calls `use(Kernel{})` with the kernel type of a run-time choice.
template <class Use>
decltype(auto) with_kernel(KernelType type, Use&& use) {
    switch (type) {
    case KernelType::cubic_spline: return use(CubicSpline{});
    case KernelType::wendland_c4: return use(WendlandC4{});
    case KernelType::wendland_c6: return use(WendlandC6{});
    case KernelType::wendland: break;
    }
    return use(Wendland{});
}

} // namespace SLUICE_ISA
} // namespace sluice::sph

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include <cmath>

// Second-order tensors in three dimensions, for the mechanics of solids. In 2-D cases the plane is x–z; the y row and
// column of a deformation are those of the identity.

namespace sluice::solid {
inline namespace SLUICE_ISA {

/// A tensor by its rows.
template <class Real>
struct Tensor {
    Vec3<Real> x, y, z;

    SLUICE_HD static constexpr Tensor identity() {
        return {{Real(1), Real(0), Real(0)}, {Real(0), Real(1), Real(0)}, {Real(0), Real(0), Real(1)}};
    }
    SLUICE_HD constexpr bool operator==(const Tensor&) const = default;
};

template <class Real>
SLUICE_HD constexpr Tensor<Real> operator+(const Tensor<Real>& a, const Tensor<Real>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class Real>
SLUICE_HD constexpr Tensor<Real> operator-(const Tensor<Real>& a, const Tensor<Real>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class Real>
SLUICE_HD constexpr Tensor<Real> operator*(Real s, const Tensor<Real>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
/// A v
template <class Real>
SLUICE_HD constexpr Vec3<Real> operator*(const Tensor<Real>& a, const Vec3<Real>& v) {
    return {dot(a.x, v), dot(a.y, v), dot(a.z, v)};
}
template <class Real>
SLUICE_HD constexpr Tensor<Real> transposed(const Tensor<Real>& a) {
    return {{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}
/// A B
template <class Real>
SLUICE_HD constexpr Tensor<Real> operator*(const Tensor<Real>& a, const Tensor<Real>& b) {
    const Tensor<Real> t = transposed(b);
    return {t * a.x, t * a.y, t * a.z};
}
/// a ⊗ b
template <class Real>
SLUICE_HD constexpr Tensor<Real> outer(const Vec3<Real>& a, const Vec3<Real>& b) {
    return {a.x * b, a.y * b, a.z * b};
}
template <class Real>
SLUICE_HD constexpr Real trace(const Tensor<Real>& a) {
    return a.x.x + a.y.y + a.z.z;
}
/// A : B
template <class Real>
SLUICE_HD constexpr Real contracted(const Tensor<Real>& a, const Tensor<Real>& b) {
    return dot(a.x, b.x) + dot(a.y, b.y) + dot(a.z, b.z);
}
template <class Real>
SLUICE_HD constexpr Real determinant(const Tensor<Real>& a) {
    return dot(a.x, cross(a.y, a.z));
}
/// A⁻¹; `a` must have a determinant that is not zero.
template <class Real>
SLUICE_HD constexpr Tensor<Real> inverse(const Tensor<Real>& a) {
    return Real(1) / determinant(a) * transposed(Tensor<Real>{cross(a.y, a.z), cross(a.z, a.x), cross(a.x, a.y)});
}

/// The eigenvalues of a symmetric tensor, the greatest first, in closed form (Smith 1961, Commun. ACM 4, 168).
/// Where two are equal, they are found to the square root of the rounding error.
template <class Real>
SLUICE_HD Vec3<Real> eigenvalues(const Tensor<Real>& a) {
    const Real mean = trace(a) / 3;
    const Tensor<Real> deviator = a - mean * Tensor<Real>::identity();
    const Real size2 = contracted(deviator, deviator) / 6;
    if (!(size2 > 0)) return {mean, mean, mean};
    const Real size = std::sqrt(size2);
    const Real cosine = determinant(deviator) / (2 * size * size2);
    const Real angle = std::acos(cosine < -1 ? Real(-1) : cosine > 1 ? Real(1) : cosine) / 3;
    constexpr Real third_of_turn = Real(2.09439510239319549);
    const Real first = mean + 2 * size * std::cos(angle), last = mean + 2 * size * std::cos(angle + third_of_turn);
    return {first, 3 * mean - first - last, last};
}

} // namespace SLUICE_ISA
} // namespace sluice::solid

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"

#include <cmath>

// A component that is not there is noticed where assertions are compiled.
#if !defined(__CUDACC__) && (!defined(NDEBUG) || defined(_GLIBCXX_ASSERTIONS))
#define SLUICE_CHECK_AXIS(axis) ((axis) >= 0 && (axis) < 3 ? void() : __builtin_trap())
#else
#define SLUICE_CHECK_AXIS(axis) void()
#endif

namespace sluice {

/// A vector of three components; in 2-D cases y is constant and the plane is x–z.
template <class T>
struct Vec3 {
    T x{}, y{}, z{};

    SLUICE_HD constexpr T& operator[](int axis) {
        SLUICE_CHECK_AXIS(axis);
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    SLUICE_HD constexpr const T& operator[](int axis) const {
        SLUICE_CHECK_AXIS(axis);
        return axis == 0 ? x : axis == 1 ? y : z;
    }
    SLUICE_HD constexpr bool operator==(const Vec3&) const = default;
};

template <class T>
SLUICE_HD constexpr Vec3<T> operator+(Vec3<T> a, Vec3<T> b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
SLUICE_HD constexpr Vec3<T> operator-(Vec3<T> a, Vec3<T> b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
SLUICE_HD constexpr Vec3<T> operator*(T s, Vec3<T> a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class T>
SLUICE_HD constexpr T dot(Vec3<T> a, Vec3<T> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
SLUICE_HD constexpr Vec3<T> cross(Vec3<T> a, Vec3<T> b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// The length of a vector.
template <class T>
SLUICE_HD T norm(Vec3<T> a) {
    return std::sqrt(dot(a, a));
}
/// The vector of length 1 in the direction of `a`, which must not be zero.
template <class T>
SLUICE_HD Vec3<T> normalized(Vec3<T> a) {
    return (1 / norm(a)) * a;
}
/// The axis of the largest component, the first of equals.
template <class T>
SLUICE_HD constexpr int longest_axis(Vec3<T> size) {
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}
template <class To, class From>
SLUICE_HD constexpr Vec3<To> vec_cast(Vec3<From> a) {
    return {To(a.x), To(a.y), To(a.z)};
}

using Vec3d = Vec3<double>;
using Vec3f = Vec3<float>;
using Vec3i = Vec3<int>;

} // namespace sluice

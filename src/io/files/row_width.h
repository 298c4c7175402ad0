// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"

namespace sluice {

/// How many numbers one row of an array of T holds.
template <class T>
constexpr int width_of(const T&) {
    return 1;
}
template <class T>
constexpr int width_of(const Vec3<T>&) {
    return 3;
}

} // namespace sluice

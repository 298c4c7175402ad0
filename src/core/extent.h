// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include <algorithm>

namespace sluice {

/// The smallest box around points, m; inside out before the first.
struct Extent : Box {
    Extent() : Box{{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}} {}

    void add(const Vec3d& p) {
        for (int axis = 0; axis < 3; ++axis) {
            min[axis] = std::min(min[axis], p[axis]);
            max[axis] = std::max(max[axis], p[axis]);
        }
    }
};

} // namespace sluice

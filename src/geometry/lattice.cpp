// SPDX-License-Identifier: Apache-2.0
#include "geometry/lattice.h"

#include <algorithm>
#include <cmath>

namespace sluice {

Lattice::Lattice(const CaseDefinition& d) : dp_(d.dp), start_(d.point_min) {
    for (int axis = 0; axis < 3; ++axis) {
        const bool plane = d.point_min[axis] == d.point_max[axis];
        const double reference = (d.point_ref && !plane ? *d.point_ref : d.point_min)[axis];
        const double first = std::floor((d.point_min[axis] - reference) / dp_);
        const double end = std::floor((d.point_max[axis] - reference) / dp_);
        start_[axis] = first * dp_ + reference;
        count_[axis] = static_cast<int>(std::clamp(end - first, 1.0, 2e9));
    }
}

int Lattice::nearest(int axis, double coordinate) const {
    const double index = std::floor(planes(axis, coordinate) + 0.5);
    return static_cast<int>(std::clamp(index, -1e9, 1e9));
}

IndexBox Lattice::nearest_box(const Vec3d& min, const Vec3d& max) const {
    IndexBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.first[axis] = nearest(axis, min[axis]);
        box.last[axis] = nearest(axis, max[axis]);
    }
    return clip(box);
}

IndexBox Lattice::clip(IndexBox box) const {
    for (int axis = 0; axis < 3; ++axis) {
        box.first[axis] = std::max(box.first[axis], 0);
        box.last[axis] = std::min(box.last[axis], count_[axis] - 1);
    }
    return box;
}

} // namespace sluice

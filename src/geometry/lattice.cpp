// SPDX-License-Identifier: Apache-2.0
#include "geometry/lattice.h"

#include <algorithm>
#include <cmath>

namespace sluice {

namespace {
// A limit of the lattice that misses a plane by less than this share of dp still includes it: decimal fractions
// in the case file are not exact.
constexpr double tolerance = 1e-6;
} // namespace

Lattice::Lattice(const CaseDefinition& d) : dp_(d.dp), reference_(d.point_ref.value_or(d.point_min)) {
    for (int axis = 0; axis < 3; ++axis) {
        if (d.point_min[axis] == d.point_max[axis]) reference_[axis] = d.point_min[axis];
        first_[axis] = std::llround(std::ceil((d.point_min[axis] - reference_[axis]) / dp_ - tolerance));
        // The reference generator counts whole cells, so the plane at point_max itself is not drawn on.
        const double low = reference_[axis] + dp_ * double(first_[axis]);
        const auto cells = std::llround(std::floor((d.point_max[axis] - low) / dp_ + tolerance));
        count_[axis] = static_cast<int>(std::max<long long>(cells, 1));
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

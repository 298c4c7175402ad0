// SPDX-License-Identifier: Apache-2.0
#include "methods/mps/bucket_grid.h"

#include "core/error.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sluice::mps {

namespace {

/// By how much the first bucket begins before the first particle, in buckets: particles of a lattice that stands on
/// edges of buckets are then all on the same side of them, whatever rounding does.
constexpr double lead = 1e-9;

Box bounds_of(const Cloud& cloud) {
    Box bounds;
    const std::span<const double> coordinates[] = {cloud.x, cloud.y, cloud.z};
    for (int axis = 0; axis < 3; ++axis) {
        if (coordinates[axis].empty()) continue;
        double low = coordinates[axis].front(), high = low;
        for (const double c : coordinates[axis]) {
            if (!std::isfinite(c)) throw InputError(fmt::format("MPS search: a coordinate of a particle is {}", c));
            low = std::min(low, c);
            high = std::max(high, c);
        }
        bounds.min[axis] = low;
        bounds.max[axis] = high;
    }
    return bounds;
}

void check_reach(const Reach& reach) {
    if (!(reach.radius > 0) || !std::isfinite(reach.radius))
        throw InputError(fmt::format("MPS search: the radius must be positive ({})", reach.radius));
    if (reach.divisions < 1 || reach.divisions > 3)
        throw InputError(fmt::format("MPS search: take 1 to 3 divisions of a bucket, not {}", reach.divisions));
    if (!(reach.bucket_factor >= 1) || !std::isfinite(reach.bucket_factor))
        throw InputError(fmt::format("MPS search: the bucket factor must be 1 or more ({})", reach.bucket_factor));
}

} // namespace

BucketGrid make_bucket_grid(const Cloud& cloud, const Reach& reach) {
    return make_bucket_grid(bounds_of(cloud), reach);
}

BucketGrid make_bucket_grid(const Box& bounds, const Reach& reach) {
    check_reach(reach);
    BucketGrid grid;
    grid.radius = reach.radius;
    grid.reach = reach.divisions;
    grid.side = reach.bucket_factor / reach.divisions;
    grid.inverse_side = 1 / grid.side;
    const double side = grid.side * reach.radius; // m
    double buckets = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = bounds.min[axis], high = bounds.max[axis];
        const double layers = std::floor((high - low) / side + 2 * lead) + 1 + 2 * reach.divisions;
        buckets *= layers;
        if (!(buckets < double(std::numeric_limits<int>::max())))
            throw InputError(
                fmt::format("MPS search: particles from {} to {} m need too many buckets of {} m", low, high, side));
        grid.count[axis] = static_cast<int>(layers);
        grid.origin[axis] = low - (reach.divisions + lead) * side;
    }
    return grid;
}

} // namespace sluice::mps

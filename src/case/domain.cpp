// SPDX-License-Identifier: Apache-2.0
#include "case/domain.h"

#include <fmt/format.h>

namespace sluice {

namespace {
double resolve(const DomainLimit& limit, double fallback, double extent) {
    if (!limit.from_default) return limit.offset;
    return fallback + limit.offset + limit.percent / 100 * extent;
}
} // namespace

Box resolve_domain(const ExecutionParameters& parameters, const Vec3d& min, const Vec3d& max) {
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
        const double extent = max[axis] - min[axis];
        box.min[axis] = resolve(parameters.domain_min[axis], min[axis], extent);
        box.max[axis] = resolve(parameters.domain_max[axis], max[axis], extent);
        if (box.min[axis] > box.max[axis])
            throw InputError(fmt::format("simulationdomain: on axis {} the minimum ({}) is above the maximum ({}), "
                                         "swap or widen them",
                                         "xyz"[axis], box.min[axis], box.max[axis]));
    }
    return box;
}

} // namespace sluice

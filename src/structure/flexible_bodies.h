// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "structure/solver.h"
#include <algorithm>
#include <cmath>

namespace sluice {

/// What a structure takes from the constants of a run.
inline solid::LagrangianConstants lagrangian_constants(const sph::Constants& c) {
    return {c.kernel, c.h, c.dp, c.two_d};
}

/// Into how many equal steps of `longest` (s) at most a structure divides a time (s).
inline int structure_sub_steps(double duration, double longest) {
    constexpr double most = 1e6; // of a structure that is broken
    return static_cast<int>(std::clamp(std::ceil(duration / longest), 1.0, most));
}

} // namespace sluice

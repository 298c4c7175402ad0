// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "model/solid/flexible.h"
#include "structure/solver.h"
#include <algorithm>
#include <cmath>

namespace sluice {

/// What a structure takes from the constants of a run.
inline solid::LagrangianConstants lagrangian_constants(const sph::Constants& c) {
    return {c.kernel, c.h, c.dp, c.two_d};
}

/// The flexible body, of `bodies.all`, that a particle belongs to; −1: none.
inline std::int32_t flexible_body_of(const FlexibleBodies& bodies, std::uint32_t id) {
    for (std::size_t b = 0; b < bodies.all.size(); ++b)
        if (id >= bodies.all[b].first_id && id < bodies.all[b].first_id + bodies.all[b].particles)
            return static_cast<std::int32_t>(b);
    return -1;
}

/// Into how many equal steps of `longest` (s) at most a structure divides a time (s).
inline int structure_sub_steps(double duration, double longest) {
    constexpr double most = 1e6; // of a structure that is broken
    return static_cast<int>(std::clamp(std::ceil(duration / longest), 1.0, most));
}

} // namespace sluice

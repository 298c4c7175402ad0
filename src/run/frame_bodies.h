// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/frame.h"
#include <vector>

namespace sluice {

/// The floating bodies of a frame as the solvers of mechanisms and collisions take them.
struct FrameBodies {
    std::vector<BodyState> states; ///< with centres from the domain's lower corner
    std::vector<BodyLoads> loads;

    /// `corner`: lower corner of the domain, m.
    FrameBodies(const Frame& frame, const Vec3d& corner) {
        for (const BodyReport& body : frame.bodies) {
            states.push_back(body.state);
            states.back().centre = states.back().centre - corner;
            loads.push_back(body.loads);
        }
    }
};

} // namespace sluice

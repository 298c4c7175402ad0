// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/bodies.h"
#include <algorithm>
#include <vector>

namespace sluice {

/// The ids of the particles of bodies, from the smallest to before `end`: whatever else has ids between those of bodies
/// is among them.
struct BodyIds {
    std::uint32_t begin = 0, end = 0;

    std::uint32_t count() const { return end - begin; }
};

inline BodyIds ids_of(const std::vector<Body>& bodies) {
    BodyIds ids;
    for (const Body& body : bodies) {
        const std::uint32_t end = body.first_id + body.particles;
        ids = ids.count() == 0 ? BodyIds{body.first_id, end}
                               : BodyIds{std::min(ids.begin, body.first_id), std::max(ids.end, end)};
    }
    return ids;
}

} // namespace sluice

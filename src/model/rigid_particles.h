// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/bodies.h"
#include "model/particle_groups.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace sluice {

/// The particles that move as parts of rigid objects, and where in its object each is. Their places are always made of
/// those at the start of the run, so that no rounding adds up over the steps.
struct RigidParticles {
    static constexpr std::int32_t at_rest = -1;

    std::uint32_t begin = 0;  ///< the smallest id of a particle that moves
    std::vector<Vec3d> start; ///< of the ids from `begin` on: from the domain's lower corner when time is 0, m
    std::vector<std::int32_t>
        object; ///< of the same ids: index of the object, those of `Motions` first and then the bodies, or `at_rest`

    bool any() const { return !start.empty(); }
    std::uint32_t end() const { return begin + static_cast<std::uint32_t>(start.size()); }
    /// Of a particle: the index of its object, or `at_rest`.
    std::int32_t object_of(std::uint32_t id) const { return id >= begin && id < end() ? object[id - begin] : at_rest; }
};

/// Consecutive ids from `begin` on whose particles are each of an object of its own.
struct LayeredWall {
    std::uint32_t begin = 0;
    std::vector<std::int32_t> object;
};

/// Those of the groups that have one of `motions` prescribed motions, those of the layered walls, and those of the
/// bodies. `position(id)`: the place at time 0 from the domain's lower corner, m.
template <class PositionOf>
RigidParticles rigid_particles(const ParticleGroups& groups, int motions, const std::vector<Body>& bodies,
                               const PositionOf& position, const std::vector<LayeredWall>& walls = {}) {
    struct Part {
        std::uint32_t begin, count;
        int object;
    };
    std::vector<Part> parts;
    for (const ParticleGroup& group : groups.all())
        if (group.motion >= 0 && group.count > 0) parts.push_back({group.begin, group.count, group.motion});
    for (const Body& body : bodies)
        parts.push_back({body.first_id, body.particles, motions + static_cast<int>(&body - bodies.data())});
    for (const LayeredWall& wall : walls)
        parts.push_back({wall.begin, static_cast<std::uint32_t>(wall.object.size()), RigidParticles::at_rest});
    RigidParticles rigid;
    std::uint32_t end = 0;
    for (const Part& part : parts) {
        rigid.begin = end == 0 ? part.begin : std::min(rigid.begin, part.begin);
        end = std::max(end, part.begin + part.count);
    }
    for (std::uint32_t id = rigid.begin; id < end; ++id) rigid.start.push_back(position(id));
    rigid.object.assign(rigid.start.size(), RigidParticles::at_rest);
    for (const Part& part : parts)
        for (std::uint32_t k = 0; k < part.count; ++k) rigid.object[part.begin + k - rigid.begin] = part.object;
    for (const LayeredWall& wall : walls)
        std::copy(wall.object.begin(), wall.object.end(), rigid.object.begin() + (wall.begin - rigid.begin));
    return rigid;
}

} // namespace sluice

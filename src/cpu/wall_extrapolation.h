// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles.h"
#include "cpu/thread_count.h"
#include "model/rigid_motion.h"
#include "model/run_setup.h"
#include <memory>
#include <vector>

namespace sluice::cpu {

/// Modified dynamic boundaries: gives the boundary particles whose normal is known the density, and with slip the
/// velocity, that the fluid has at their ghost nodes (physics/sph/wall_extrapolation.h).
class WallExtrapolation {
public:
    virtual ~WallExtrapolation() = default;
    /// Before an interaction, of particles sorted by cell. `motions`: of the rigid objects where they are now. Writes
    /// to the state of the boundary particles and to their records, those of images too.
    virtual void apply(const InteractionView& view, const std::vector<RigidMotion>& motions, SortedGroup& boundary) = 0;
};

/// None: with dynamic boundaries only.
std::unique_ptr<WallExtrapolation> make_wall_extrapolation(const RunSetup& setup, const Space& space,
                                                           const ThreadCount& threads);

/// Whether the density of a boundary particle is extrapolated, and not integrated.
inline bool is_extrapolated(const RunSetup& setup, std::uint32_t id) {
    if (setup.normals.empty()) return false;
    const Vec3f& n = setup.normals[id];
    return n.x != 0 || n.y != 0 || n.z != 0;
}

/// Whether that holds for all boundary particles, and none of them is acted on.
inline bool extrapolates_everywhere(const RunSetup& setup) {
    if (setup.normals.empty() || !setup.bodies.empty()) return false;
    for (std::uint32_t id = 0; id < setup.normals.size(); ++id)
        if (!is_extrapolated(setup, id)) return false;
    return true;
}

} // namespace sluice::cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "cpu/particles/thread_count.h"
#include "cpu/passes/ghost_sums.h"
#include "cpu/subdomains/halo.h"
#include "model/rigid_motion.h"
#include "model/run_setup.h"
#include <memory>
#include <vector>

namespace sluice::cpu {

/// Modified dynamic boundaries: gives the boundary particles whose normal is known the density, and with slip the
/// velocity, that the fluid has at their ghost nodes (physics/sph/wall_extrapolation.h).
class WallExtrapolation {
public:
    WallExtrapolation(const std::string& simd, const RunSetup& setup, const Space& space, const ThreadCount& threads,
                      Halo& halo);
    /// Before an interaction, of particles sorted by cell. `motions`: of the rigid objects where they are now.
    /// `gravity`: that water at rest feels (effective_gravity), m/s². Writes to the state of the boundary particles and
    /// to their records, those of ghosts too.
    void apply(const InteractionView& view, const std::vector<RigidMotion>& motions, const Vec3d& gravity,
               SortedGroup& boundary);
    /// Writes the walls' own velocities to the records of those that mirror the fluid's: what the volume of the fluid
    /// changes with.
    void take_own_velocities(const InteractionView& view, const std::vector<RigidMotion>& motions,
                             const SortedGroup& boundary) const;

private:
    /// The ghost node of a wall particle, and what its wall does there.
    struct Mirror {
        std::uint32_t id; ///< of the particle
        Vec3d node, normal, velocity;
        bool rests;
    };
    /// Of the wall at a particle of it, m/s.
    Vec3d own_velocity(const std::vector<RigidMotion>& motions, std::uint32_t id) const;
    Mirror mirror_of(const std::vector<RigidMotion>& motions, std::uint32_t id, const Vec3d& place) const;
    void extrapolate(const Mirror& mirror, const float* sums);
    void extrapolate_own(const InteractionView& view, const std::vector<RigidMotion>& motions,
                         const SortedGroup& boundary);

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    Halo& halo_;
    GhostSums ghosts_;
    sph::EquationOfState<float> eos_;
    Vec3d gravity_;          ///< that water at rest feels now, m/s²
    std::vector<Flow> flow_; ///< by id
};

/// None: with dynamic boundaries only.
std::unique_ptr<WallExtrapolation> make_wall_extrapolation(const std::string& simd, const RunSetup& setup,
                                                           const Space& space, const ThreadCount& threads, Halo& halo);

} // namespace sluice::cpu

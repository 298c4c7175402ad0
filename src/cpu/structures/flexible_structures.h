// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "cpu/particles/thread_count.h"
#include "model/rigid_motion.h"
#include "scheme/stage.h"
#include "structure/flexible_bodies.h"
#include <vector>

namespace sluice::cpu {

/// The flexible bodies of a run: divides each step into sub-steps of the structure, over which what the fluid does to
/// it is held, and brings the boundary particles that are its own where they are. The fluid's momentum so goes into the
/// structure undiminished. At the end of a step velocities are numbers of single precision, as states store them.
class FlexibleStructures {
public:
    FlexibleStructures(const RunSetup& setup, const Space& space, const ThreadCount& threads);

    bool any() const { return !solvers_.empty(); }
    /// Takes places and velocities over. `motions`: of the rigid objects at the state's time.
    void set_state(const ParticleState& state, const std::vector<RigidMotion>& motions);
    /// Reads what the fluid did to them in the last interaction. `rates`: of the boundary particles.
    void take_loads(const SortedGroup& boundary, const Accumulator* rates);
    /// Brings all bodies to the end of a stage, and their particles with them. `dt`: of the whole step; `time`: at the
    /// end of the stage, s; `motions`: of the rigid objects then. RunError if one of the particles has left the domain.
    void advance(SortedGroup& boundary, Stage stage, double dt, double time, const std::vector<RigidMotion>& motions);

private:
    /// A flexible particle: whose, and which of them.
    struct Member {
        std::int32_t body = -1;
        std::uint32_t particle = 0;
    };
    Member member_of(std::uint32_t id) const;
    Vec3d clamp_place(std::size_t body, std::uint32_t particle, const std::vector<RigidMotion>& motions) const;
    void advance_body(std::size_t body, Stage stage, double dt, const std::vector<RigidMotion>& motions);
    void place(SortedGroup& boundary, double time) const;

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    std::vector<StructureSolver> solvers_;
    std::vector<std::vector<Vec3d>> acceleration_;     ///< of each body's particles, by fluid and gravity, m/s²
    std::vector<StructureState> start_;                ///< at the begin of a symplectic step
    std::vector<RigidMotion> motions_, start_motions_; ///< of the clamps, now and at the begin of a symplectic step
};

} // namespace sluice::cpu

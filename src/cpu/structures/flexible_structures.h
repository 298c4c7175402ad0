// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "cpu/particles/thread_count.h"
#include "cpu/structures/structure_contacts.h"
#include "cpu/subdomains/halo.h"
#include "model/bodies.h"
#include "scheme/stage.h"
#include "structure/flexible_bodies.h"
#include <vector>

namespace sluice::cpu {

/// The flexible bodies of a run: divides each step into sub-steps of the structure, over which what the fluid does to
/// it is held, and brings the boundary particles that are its own where they are. The fluid's momentum so goes into the
/// structure undiminished. At the end of a step velocities are numbers of single precision, as states store them. Every
/// rank has all bodies whole and moves them by the loads of all ranks.
class FlexibleStructures {
public:
    FlexibleStructures(const RunSetup& setup, const Space& space, const ThreadCount& threads, Halo& halo);

    bool any() const { return !solvers_.empty(); }
    /// Takes places and velocities over, each rank those of its part of the state. `motions`: of the rigid objects at
    /// the state's time.
    void set_state(const ParticleState& state, const std::vector<RigidMotion>& motions);
    /// Reads what the fluid did to them in the last interaction, and finds what touches them. `rates`: of the boundary
    /// particles.
    void take_loads(const SortedGroup& boundary, const Accumulator* rates);
    /// Brings all bodies to the end of a stage. `dt`: of the whole step, s; `motions`: of the rigid objects then.
    /// Returns the work that a stage which ends the step goes with, the same on all ranks.
    StructureWork advance(Stage stage, double dt, const std::vector<RigidMotion>& motions);
    /// The work, over a step, of walls that move and push flexible particles of this rank, in units of `unit` (J).
    std::int64_t work_of_pushing_walls(double dt, double unit) const;
    /// Whether floating bodies bear some of them.
    bool any_borne() const { return !reactions_.empty(); }
    /// What structures exert on the floating bodies that bear them in a stage of a symplectic step, as the bodies are
    /// before it: at its begin as they are, in the middle the mean since.
    const std::vector<BodyLoad>& find_reactions(Stage stage, double dt, const std::vector<BodyState>& bodies);
    /// What the bodies, as they are at the end of a step, have still to get: impulses, so that they have gained just
    /// what the structures have lost.
    std::vector<BodyLoad> missing_impulses(double dt, const std::vector<BodyState>& bodies) const;
    /// Shows the fluid the structures after a stage, and puts their particles where they are. `time`: at its end, s.
    /// RunError if one of the particles has left the domain.
    void show(SortedGroup& boundary, Stage stage, double dt, double time, const std::vector<RigidMotion>& motions);

    /// Puts the velocities of flexible particles into a state: those that they have at its time, or those that the
    /// fluid sees, which state() and set_state() exchange.
    void put_own_velocities(ParticleState& state) const;
    void put_shown_velocities(ParticleState& state) const;

private:
    /// A flexible particle: whose, and which of them.
    struct Member {
        std::int32_t body = -1;
        std::uint32_t particle = 0;
    };
    Member member_of(std::uint32_t id) const;
    double mass_of(const Member& member) const {
        return solvers_[static_cast<std::size_t>(member.body)].mass(member.particle);
    }
    /// Among the particles of all bodies.
    std::uint32_t place_of(const Member& member) const {
        return first_[static_cast<std::size_t>(member.body)] + member.particle;
    }
    Vec3d clamp_place(std::size_t body, std::uint32_t particle, const std::vector<RigidMotion>& motions) const;
    StructureWork advance_body(std::size_t body, Stage stage, double dt, const std::vector<RigidMotion>& motions);
    Vec3d clamp_velocity(std::size_t body, std::uint32_t particle, const std::vector<RigidMotion>& motions) const;
    std::int32_t bearer_of(std::size_t body, std::uint32_t clamp) const;
    void find_bearers();
    int sub_steps(std::size_t body, double duration);
    Vec3d mean_velocity(std::size_t body, std::uint32_t particle, const StructureState& from, double duration) const;
    void show_end_of_step(std::size_t body, double dt);
    template <class Use>
    void for_each_velocity(ParticleState& state, const Use& use) const;
    void place(SortedGroup& boundary, double time) const;

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    Halo& halo_;
    StructureContacts contacts_;
    std::vector<StructureSolver> solvers_;
    std::vector<std::uint32_t> first_;           ///< where each body begins in what follows
    std::vector<Vec3d> acceleration_;            ///< of all particles, by fluid, contacts and gravity, m/s²
    std::vector<double> wall_power_;             ///< ContactSum::wall_power of this rank's particles, W
    std::vector<StructureState> start_;          ///< at the begin of a symplectic step
    std::vector<std::vector<ClampPush>> pushes_; ///< on the clamps of each body, in the last stage
    std::vector<BodyLoad> reactions_;            ///< on floating bodies, in the last stage; empty: they bear nothing
    std::vector<BodyState> bearers_;             ///< as they were when these were found
    std::vector<StructureState> shown_;          ///< what the fluid sees of them
    std::vector<RigidMotion> motions_, start_motions_; ///< of the clamps, now and at the begin of a symplectic step
};

} // namespace sluice::cpu

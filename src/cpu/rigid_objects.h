// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/elastic_contacts.h"
#include "cpu/halo.h"
#include "cpu/particles.h"
#include "cpu/thread_count.h"
#include "scheme/body_motion.h"
#include <vector>

namespace sluice::cpu {

/// The rigid objects of a run, moving walls and floating bodies: brings the boundary particles that belong to them
/// where they are.
class RigidObjects {
public:
    RigidObjects(const RunSetup& setup, const Space& space, const ThreadCount& threads, Halo& halo);

    bool any() const { return setup_.rigid.any(); }
    /// Of the floating bodies, in the order of `RunSetup::bodies`.
    const std::vector<BodyState>& bodies() const { return bodies_; }
    /// What has acted on them in the last interaction.
    const std::vector<BodyLoads>& loads() const { return loads_; }
    /// How all objects move since they were last set or placed, in the order of `RigidParticles::object`.
    const std::vector<RigidMotion>& motions() const { return now_; }
    /// Of the pistons that absorb waves, in the order of `RunSetup::absorbers`.
    const std::vector<AbsorberState>& absorbers() const { return absorbers_; }
    /// From now on they move so.
    void set_absorbers(std::vector<AbsorberState> absorbers) { absorbers_ = std::move(absorbers); }
    /// Bodies and absorbing pistons as they are at `time` (s). None: as at time 0.
    void set_state(const std::vector<BodyState>& bodies, const std::vector<AbsorberState>& absorbers, double time);

    /// Sums up what acts on the particles of every body, in the order of their ids. `rates`: of the boundary particles.
    /// Returns the speed by which elastic contacts limit the time step (scheme/contact_time_step.h), m/s; without them
    /// zero.
    double sum_loads(const SortedGroup& boundary, const Accumulator* rates);
    /// Remembers where the bodies are at the start of a symplectic step.
    void begin_step() { start_ = bodies_; }
    /// Brings the bodies `dt` (s) on from where they are at `time`.
    void advance_bodies(BodyStage stage, double time, double dt) { advance_from(bodies_, stage, time, dt); }
    /// The same from where they were at begin_step().
    void advance_bodies_from_start(BodyStage stage, double time, double dt) { advance_from(start_, stage, time, dt); }
    /// Puts the particles of every object where it is at `time` (s), with its velocity, and finds their cells; images
    /// are left to the next sort. RunError if one of them has left the domain.
    void place(SortedGroup& boundary, double time);

private:
    void spread_loads(const SortedGroup& boundary);
    void sum_load(std::size_t b);
    void advance_from(const std::vector<BodyState>& from, BodyStage stage, double time, double dt);

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    Halo& halo_;
    std::vector<BodyState> bodies_, start_;
    std::vector<AbsorberState> absorbers_;
    std::vector<RigidMotion> now_;
    std::vector<BodyLoads> loads_;
    ElasticContacts contacts_;
    std::vector<Vec3f> acceleration_; ///< of the ids from setup.rigid.begin on, by the fluid, m/s²
};

} // namespace sluice::cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles.h"
#include "cpu/thread_count.h"
#include "scheme/body_motion.h"
#include <vector>

namespace sluice::cpu {

/// The rigid objects of a run, moving walls and floating bodies: brings the boundary particles that belong to them
/// where they are.
class RigidObjects {
public:
    RigidObjects(const RunSetup& setup, const Space& space, const ThreadCount& threads);

    bool any() const { return setup_.rigid.any(); }
    /// Of the floating bodies, in the order of `RunSetup::bodies`.
    const std::vector<BodyState>& bodies() const { return bodies_; }
    /// What the fluid has done to them in the last interaction.
    const std::vector<BodyLoad>& loads() const { return loads_; }
    /// How all objects move since they were last set or placed, in the order of `RigidParticles::object`.
    const std::vector<RigidMotion>& motions() const { return now_; }
    /// As they are at `time` (s). None: as at time 0.
    void set_bodies(const std::vector<BodyState>& bodies, double time);

    /// Sums up what acts on the particles of every body, in the order of their ids. `rates`: of the boundary particles.
    void sum_loads(const SortedGroup& boundary, const Accumulator* rates);
    /// Remembers where the bodies are at the start of a symplectic step.
    void begin_step() { start_ = bodies_; }
    /// Brings the bodies `dt` (s) on from where they are at `time`. `leaps`: a Verlet step not of the Euler form.
    void advance_bodies(double time, double dt, bool leaps = false) { advance_from(bodies_, time, dt, leaps); }
    /// The same from where they were at begin_step().
    void advance_bodies_from_start(double time, double dt) { advance_from(start_, time, dt, false); }
    /// Puts the particles of every object where it is at `time` (s), with its velocity, and finds their cells; images
    /// are left to the next sort. RunError if one of them has left the domain.
    void place(SortedGroup& boundary, double time);

private:
    void advance_from(const std::vector<BodyState>& from, double time, double dt, bool leaps);

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    std::vector<BodyState> bodies_, start_;
    std::vector<RigidMotion> now_;
    std::vector<BodyLoad> loads_;
    std::vector<Vec3f> acceleration_; ///< of the ids from setup.rigid.begin on, by the fluid, m/s²
};

} // namespace sluice::cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/moorings/mooring_lines.h"
#include "cpu/particles/particles.h"
#include "cpu/particles/thread_count.h"
#include "cpu/passes/elastic_contacts.h"
#include "cpu/subdomains/halo.h"
#include "scheme/body_motion.h"
#include "scheme/collisions/mechanism_motion.h"
#include "scheme/mechanism_arrays.h"
#include "scheme/outer_work.h"
#include <memory>
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
    /// How all objects move since they were last set or placed, as they take part in the next interaction, in the order
    /// of `RigidParticles::object`.
    const std::vector<RigidMotion>& motions() const { return now_; }
    /// Of the pistons that absorb waves, in the order of `RunSetup::absorbers`.
    const std::vector<AbsorberState>& absorbers() const { return absorbers_; }
    /// From now on they move so.
    void set_absorbers(std::vector<AbsorberState> absorbers) { absorbers_ = std::move(absorbers); }
    /// Bodies and absorbing pistons as they are at `time` (s). None: as at time 0.
    /// Mooring lines likewise.
    void set_state(const std::vector<BodyState>& bodies, const std::vector<AbsorberState>& absorbers,
                   const MooringState& moorings, double time);
    const MooringState& moorings() const { return lines_.state(); }

    /// Sums up what acts on the particles of every body, in the order of their ids. `rates`: of the boundary particles.
    /// Returns the speed by which elastic contacts limit the time step (scheme/contact_time_step.h), m/s; without them
    /// zero.
    double sum_loads(const SortedGroup& boundary, const Accumulator* rates);
    /// Whether step `step` samples the forces on moving walls (scheme/outer_work.h): its interactions sum them up.
    bool samples_walls(std::int64_t step) const {
        return setup_.motions.object_count() > 0 && sluice::samples_walls(step);
    }
    /// The work of moving walls on the fluid that such a step stands for, in units of `work_unit` (J/kg). `rates`: of
    /// the boundary particles, of which this rank's own count.
    std::int64_t work_of_walls(const SortedGroup& boundary, const Accumulator* rates, double dt,
                               double work_unit) const;
    /// Brings the bodies from where they are at the begin of step `step`, `time` (s), to the end of a stage of it.
    /// `dt`, `dt_before`: of the whole step and of the one before, s. Returns the work of what drives bodies, J; the
    /// same on all ranks. Mooring lines move with them. RunError if one of these has lost its course.
    /// `borne`: what else acts on bodies, by structures that they bear; empty: nothing.
    double advance_bodies(Stage stage, std::int64_t step, double time, double dt, double dt_before,
                          const std::vector<BodyLoad>& borne);
    /// Gives bodies impulses at the end of a step that began at `time` (s) and takes `dt`: N s and N m s.
    void push_bodies(const std::vector<BodyLoad>& impulses, double time, double dt);
    /// Puts the particles of every object where it is at the end of a stage, `time` (s), with its velocity, and finds
    /// their cells; images are left to the next sort. RunError if one of them has left the domain.
    void place(SortedGroup& boundary, Stage stage, double time);

private:
    void spread_loads(const SortedGroup& boundary);
    void sum_load(std::size_t b);
    void find_motions(bool lags, double time);
    Flow shown_flow(std::int32_t object, const Vec3d& position, double time, const Flow& flow) const;

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    Halo& halo_;
    std::vector<BodyState> bodies_, start_; ///< now, and at the begin of a symplectic step
    std::vector<AbsorberState> absorbers_;
    std::vector<RigidMotion> now_;
    std::vector<BodyLoads> loads_;
    ElasticContacts contacts_;
    MechanismMotion mechanisms_;
    MooringLines lines_;
    std::vector<Vec3f> acceleration_; ///< of the ids from setup.rigid.begin on, by the fluid, m/s²
};

} // namespace sluice::cpu

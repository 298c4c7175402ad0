// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/gather.h"
#include "cpu/particles/particles.h"
#include "cpu/particles/thread_count.h"
#include "cpu/subdomains/halo.h"
#include "model/run_setup.h"
#include <memory>
#include <string>
#include <vector>

namespace sluice::cpu {

/// Particle shifting (physics/sph/shifting.h): how far every fluid particle is to be shifted at the end of a step, and
/// what that does to its density.
class ParticleShifts {
public:
    /// `simd`: the level of `simd_levels()` that the sums are made with.
    ParticleShifts(const std::string& simd, const RunSetup& setup, const Space& space, const ThreadCount& threads,
                   Halo& halo);

    /// After an interaction. Uses up the pressures in the records of the boundary particles.
    void find(const InteractionView& view, const SortedGroup& boundary, const SortedGroup& fluid, float dt);
    /// Once the shifts are known: adds what they do to the densities to the rates, where densities follow them. Returns
    /// what the shifts of this rank's particles do to the energy of the fluid, in units of `work_unit` (J/kg). `zones`:
    /// of open boundaries, by particle, −1: none; null: there are none.
    WorkCounts follow(const InteractionView& view, const SortedGroup& fluid, float dt, const std::int32_t* zones,
                      double work_unit);
    /// Of the fluid particles, m; not of images.
    const Vec3f* data() const { return shifts_.data(); }
    Vec3f* data() { return shifts_.data(); }

private:
    std::int64_t lift(const SortedGroup& fluid, double work_unit) const;

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    Halo& halo_;
    std::unique_ptr<Gather> crowding_, convergence_; ///< the second one none where densities do not follow
    std::vector<float> sums_;
    std::vector<Vec3f> shifts_, by_id_;
    std::vector<Record> records_; ///< with shifts in them
};

/// None: the run has no shifting.
std::unique_ptr<ParticleShifts> make_particle_shifts(const std::string& simd, const RunSetup& setup, const Space& space,
                                                     const ThreadCount& threads, Halo& halo);

} // namespace sluice::cpu

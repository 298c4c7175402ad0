// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/gather.h"
#include "cpu/particles.h"
#include "cpu/thread_count.h"
#include "model/run_setup.h"
#include <memory>
#include <string>
#include <vector>

namespace sluice::cpu {

/// Particle shifting (physics/sph/shifting.h): how far every fluid particle is to be shifted at the end of a step.
class ParticleShifts {
public:
    /// `simd`: the level of `simd_levels()` that the sums are made with.
    ParticleShifts(const std::string& simd, const RunSetup& setup, const ThreadCount& threads);

    /// After an interaction. Uses up the pressures in the records of the boundary particles.
    void find(const InteractionView& view, const SortedGroup& boundary, const SortedGroup& fluid, float dt);
    /// Of the fluid particles, m; not of images.
    const Vec3f* data() const { return shifts_.data(); }
    Vec3f* data() { return shifts_.data(); }

private:
    const RunSetup& setup_;
    const ThreadCount& threads_;
    std::unique_ptr<Gather> crowding_;
    std::vector<float> sums_;
    std::vector<Vec3f> shifts_;
};

/// None: the run has no shifting.
std::unique_ptr<ParticleShifts> make_particle_shifts(const std::string& simd, const RunSetup& setup,
                                                     const ThreadCount& threads);

} // namespace sluice::cpu

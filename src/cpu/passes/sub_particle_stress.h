// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/gather.h"
#include "cpu/particles/particles.h"
#include "cpu/particles/thread_count.h"
#include "cpu/subdomains/halo.h"
#include "physics/sph/sub_particle_stress.h"
#include <memory>
#include <string>
#include <vector>

namespace sluice::cpu {

/// The sub-particle-scale model (physics/sph/sub_particle_stress.h): two passes over the fluid beside the interaction.
class SubParticleStress {
public:
    /// `simd`: the level of `simd_levels()` that the sums are made with.
    SubParticleStress(const std::string& simd, const sph::Constants& constants, const Space& space,
                      const ThreadCount& threads, Halo& halo);

    /// The stresses of the fluid; their trace, which acts like a pressure, goes into its records.
    void find(const InteractionView& view, const SortedGroup& fluid);
    /// The force of the rest of them.
    void diverge(const InteractionView& view);
    /// Adds that force to the rates of the fluid.
    void add(const InteractionView& view, const SortedGroup& fluid) const;

private:
    sph::Constants constants_;
    const Space& space_;
    const ThreadCount& threads_;
    Halo& halo_;
    std::unique_ptr<Gather> gradient_, divergence_;
    std::vector<float> sums_;
    std::vector<sph::Stress<float>> stress_; ///< by id
    std::vector<Record> records_;            ///< with stresses in them
};

/// None: the run has no such model.
std::unique_ptr<SubParticleStress> make_sub_particle_stress(const std::string& simd, const sph::Constants& constants,
                                                            const Space& space, const ThreadCount& threads, Halo& halo);

} // namespace sluice::cpu

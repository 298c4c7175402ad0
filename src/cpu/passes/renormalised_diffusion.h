// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/gather.h"
#include "cpu/particles/particles.h"
#include "cpu/particles/thread_count.h"
#include "cpu/subdomains/halo.h"
#include <memory>
#include <string>
#include <vector>

namespace sluice::cpu {

/// The density diffusion of δ-SPH (physics/sph/renormalised_diffusion.h): two passes over the fluid beside the
/// interaction.
class RenormalisedDiffusion {
public:
    /// `simd`: the level of `simd_levels()` that the sums are made with.
    RenormalisedDiffusion(const std::string& simd, const sph::Constants& constants, const Space& space,
                          const ThreadCount& threads, Halo& halo);

    /// Adds the diffusion to the rates of the fluid.
    void add(const InteractionView& view, const SortedGroup& fluid);

private:
    void find_gradients(const InteractionView& view, const SortedGroup& fluid);

    bool two_d_;
    const Space& space_;
    const ThreadCount& threads_;
    Halo& halo_;
    std::unique_ptr<Gather> gradient_, diffusion_;
    std::vector<float> sums_;
    std::vector<Vec3f> by_id_;    ///< gradients of the density, kg/m⁴
    std::vector<Record> records_; ///< with these in place of the velocities
};

/// None: the run has another density diffusion, or none.
std::unique_ptr<RenormalisedDiffusion> make_renormalised_diffusion(const std::string& simd,
                                                                   const sph::Constants& constants, const Space& space,
                                                                   const ThreadCount& threads, Halo& halo);

} // namespace sluice::cpu

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

/// Stresses of the fluid that depend on the gradient of its velocity: two passes over the fluid beside the interaction,
/// one for that gradient and one for the force that follows.
class FluidStress {
public:
    /// `simd`: the level of `simd_levels()` that the sums are made with. `force`: the operator of the second pass.
    FluidStress(const std::string& simd, const sph::Constants& constants, GatherOperator force, const Space& space,
                const ThreadCount& threads, Halo& halo);
    virtual ~FluidStress() = default;

    /// What follows from the gradient of the velocity. A part that acts like a pressure goes into the fluid's records.
    /// Returns the greatest apparent viscosity of this rank's fluid, m²/s; 0 where the pair formula knows the
    /// viscosity.
    float find(const InteractionView& view, const SortedGroup& fluid);
    /// The force of the rest.
    void diverge(const InteractionView& view);
    /// Adds that force to the rates of the fluid.
    void add(const InteractionView& view, const SortedGroup& fluid) const;

protected:
    /// Finds it for every particle by the sums of sph::VelocityGradient, `width` of each, and makes the records that
    /// the second pass reads: `records_`, which has room for all particles of the view.
    virtual float find_from(const InteractionView& view, const SortedGroup& fluid, const float* gradients,
                            std::size_t width) = 0;

    const Space& space_;
    const ThreadCount& threads_;
    Halo& halo_;
    std::vector<Record> records_;

private:
    std::unique_ptr<Gather> gradient_, force_;
    std::vector<float> sums_;
};

/// The stresses of a run: those of the sub-particle-scale model, or those of a generalised Newtonian fluid. None: it
/// has neither.
std::unique_ptr<FluidStress> make_fluid_stress(const std::string& simd, const RunSetup& setup, const Space& space,
                                               const ThreadCount& threads, Halo& halo);

} // namespace sluice::cpu

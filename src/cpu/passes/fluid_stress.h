// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/gather.h"
#include "cpu/particles/particles.h"
#include "cpu/particles/thread_count.h"
#include "cpu/subdomains/halo.h"
#include "model/run_setup.h"
#include "scheme/time_step.h"
#include <memory>
#include <string>
#include <vector>

namespace sluice::cpu {

/// Stresses of the fluid that depend on a gradient, of its velocity or of its colour: two passes over the fluid beside
/// the interaction, one for that gradient and one for the force that follows.
class FluidStress {
public:
    /// `simd`: the level of `simd_levels()` that the sums are made with. `gradient`, `force`: the operators of the two
    /// passes. `setup` must outlive this.
    FluidStress(const std::string& simd, const RunSetup& setup, GatherOperator gradient, GatherOperator force,
                const Space& space, const ThreadCount& threads, Halo& halo);
    virtual ~FluidStress() = default;

    /// Computes the gradient and the stresses that follow from it. Their isotropic part is added to the pressure terms
    /// of the fluid's records. Raises `limits` to the greatest apparent viscosity and tension of this rank's fluid.
    void find(const InteractionView& view, const SortedGroup& fluid, sph::TimeStepLimits& limits);
    /// The force of the rest.
    void diverge(const InteractionView& view);
    /// Adds that force to the rates of the fluid.
    void add(const InteractionView& view, const SortedGroup& fluid) const;

protected:
    /// The records that the first pass reads: those of the view, or `records_`, filled with what it is to read.
    virtual Record* gradient_records(const InteractionView& view, const SortedGroup& /*fluid*/) { return view.records; }
    /// Finds the stress of every particle by the sums of the first pass, `width` of each, and makes the records that
    /// the second pass reads: `records_`, which has room for all particles of the view.
    virtual void find_from(const InteractionView& view, const SortedGroup& fluid, const float* gradients,
                           std::size_t width, sph::TimeStepLimits& limits) = 0;

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    Halo& halo_;
    std::vector<Record> records_;

private:
    std::unique_ptr<Gather> gradient_, force_;
    std::vector<float> sums_;
};

/// The stresses of a run: those of the sub-particle-scale model or those of a generalised Newtonian fluid, and those of
/// surfaces. Empty: it has none.
std::vector<std::unique_ptr<FluidStress>> make_fluid_stresses(const std::string& simd, const RunSetup& setup,
                                                              const Space& space, const ThreadCount& threads,
                                                              Halo& halo);

} // namespace sluice::cpu

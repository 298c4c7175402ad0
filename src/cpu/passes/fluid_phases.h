// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "model/run_setup.h"
#include <memory>
#include <vector>

namespace sluice::cpu {

/// The part of a step that runs with fluids of different density (model/fluids.h) have and others have not.
class FluidPhases {
public:
    FluidPhases(const RunSetup& setup, const Space& space, const ThreadCount& threads);

    /// Once the records are written: the phase of each particle, and the pressure that one of the fluid has there.
    /// `lead`: of the acoustic damper, as RecordWriter has it.
    void mark(const InteractionView& view, const SortedGroup& fluid, float lead) const;
    /// The accelerations that the forces found give to particles of their mass.
    void weigh(const InteractionView& view, const SortedGroup& fluid) const;

private:
    struct Phase {
        sph::EquationOfState<float> eos; ///< of relative densities
        float inverse_ratio;             ///< relative density over density
    };
    const Phase& phase_of(std::uint32_t id) const { return phases_[setup_.groups.fluid_of(id)]; }

    const RunSetup& setup_;
    const Space& space_;
    const ThreadCount& threads_;
    std::vector<Phase> phases_;
};

/// None: all particles are of one fluid.
std::unique_ptr<FluidPhases> make_fluid_phases(const RunSetup& setup, const Space& space, const ThreadCount& threads);

} // namespace sluice::cpu

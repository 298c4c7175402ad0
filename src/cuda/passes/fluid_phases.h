// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/fluid_groups.h"
#include "cuda/data/phase_table.h"
#include "cuda/device/device_memory.h"
#include "cuda/passes/update.h"

namespace sluice::cuda {

/// What the fluids of a run make of densities.
struct PhaseStates {
    FluidGroups groups;
    const sph::EquationOfState<float>* of = nullptr; ///< of relative densities, by phase
};

/// Gives all particles of the new state their phase, and the fluid the pressure that it has there. `at_half`: a
/// predictor has moved them, with the acoustic damper.
void mark_phases(const UpdateArgs& args, const PhaseStates& states, bool at_half, cudaStream_t stream);

/// Several fluids of different density (model/fluids.h) on the device. A run of one enqueues nothing.
class FluidPhases {
public:
    /// `pairs`: the constants of pairs (`pair_constants_at`).
    FluidPhases(const RunSetup& setup, const sph::Constants& pairs, DeviceMemory& memory);

    bool any() const { return table_.data() != nullptr; }
    /// To be called whenever pressure terms have been written.
    void mark(const UpdateArgs& args, bool at_half, cudaStream_t stream) const {
        if (any()) mark_phases(args, states_, at_half, stream);
    }
    /// For the constants of pairs; null: there is one fluid.
    const PhaseTable* table() const { return table_.data(); }

private:
    DeviceArray<PhaseTable> table_;
    DeviceArray<std::uint32_t> first_id_;
    DeviceArray<sph::EquationOfState<float>> equations_;
    PhaseStates states_;
};

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device_memory.h"
#include "cuda/interaction.h"
#include "cuda/update.h"
#include "model/forcing.h"
#include "physics/forcing.h"
#include "physics/relaxation.h"

namespace sluice::cuda {

/// What the kernels read of damping zones and acceleration inputs.
struct ForcingView {
    const DampingZone* damping = nullptr;
    const AccelerationInput* inputs = nullptr;
    const AccelerationSample* samples = nullptr;
    ForcedFrame* frames = nullptr; ///< the inputs as they are now
    int damping_count = 0, input_count = 0;
};

/// Adds the accelerations at `fraction` of the step to the rates of the fluid, and takes the largest force anew.
void add_forcing(const InteractionArgs& args, const std::uint32_t* id, const ForcingView& forcing, double fraction,
                 cudaStream_t stream);

/// Brings the velocities of the fluid in relaxation zones nearer to those that the zones lead to, once the step has
/// moved the particles.
void relax_velocities(const UpdateArgs& args, const RelaxationView& view, cudaStream_t stream);

/// Damping zones, acceleration inputs and relaxation zones of a run on the device. A run without them enqueues nothing.
class FluidForcing {
public:
    FluidForcing(const Forcing& forcing, DeviceMemory& memory);

    void add(const InteractionArgs& args, const std::uint32_t* id, double fraction, cudaStream_t stream) const {
        if (view_.damping_count + view_.input_count > 0) add_forcing(args, id, view_, fraction, stream);
    }
    void relax(const UpdateArgs& args, cudaStream_t stream) const {
        if (relaxation_view_.zone_count > 0) relax_velocities(args, relaxation_view_, stream);
    }

private:
    DeviceArray<DampingZone> damping_;
    DeviceArray<AccelerationInput> inputs_;
    DeviceArray<AccelerationSample> samples_;
    DeviceArray<ForcedFrame> frames_;
    DeviceArray<RelaxationZone> relaxation_;
    DeviceArray<RelaxationWave> waves_;
    DeviceArray<SpeedSample> speeds_;
    DeviceArray<VelocityTable> tables_;
    DeviceArray<double> table_numbers_;
    DeviceArray<float> table_values_;
    ForcingView view_;
    RelaxationView relaxation_view_;
};

} // namespace sluice::cuda

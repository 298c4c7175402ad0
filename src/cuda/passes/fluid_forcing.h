// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/device_memory.h"
#include "cuda/pairs/interaction.h"
#include "cuda/passes/update.h"
#include "model/forcing.h"
#include "physics/led_fluid.h"

namespace sluice::cuda {

/// What the kernels read of acceleration inputs.
struct ForcingView {
    const AccelerationInput* inputs = nullptr;
    const AccelerationSample* samples = nullptr;
    ForcedFrame* frames = nullptr; ///< the inputs as they are now
    int input_count = 0;
};

/// Adds the accelerations at `fraction` of the step to the rates of the fluid, and takes the largest force anew.
void add_forcing(const InteractionArgs& args, const std::uint32_t* id, const ForcingView& forcing, double fraction,
                 cudaStream_t stream);

/// Brings the velocities of the fluid in damping and relaxation zones nearer to those that the zones lead to, once the
/// step has moved the particles, and counts the work of these and of acceleration inputs. `zones`: of open boundaries,
/// of the fluid by index, −1: none; null: there are none.
void relax_velocities(const UpdateArgs& args, const ForcingView& forcing, const LeadView& view,
                      const std::int32_t* zones, cudaStream_t stream);

/// Damping zones, acceleration inputs and relaxation zones of a run on the device. A run without them enqueues nothing.
class FluidForcing {
public:
    FluidForcing(const Forcing& forcing, DeviceMemory& memory);

    void add(const InteractionArgs& args, const std::uint32_t* id, double fraction, cudaStream_t stream) const {
        if (view_.input_count > 0) add_forcing(args, id, view_, fraction, stream);
    }
    void relax(const UpdateArgs& args, const std::int32_t* zones, cudaStream_t stream) const {
        if (leads_) relax_velocities(args, view_, lead_view_, zones, stream);
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
    bool leads_ = false;
    ForcingView view_;
    LeadView lead_view_;
};

} // namespace sluice::cuda

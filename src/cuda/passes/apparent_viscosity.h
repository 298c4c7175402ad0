// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/fluid_groups.h"
#include "cuda/device/device_memory.h"
#include "cuda/pairs/interaction.h"
#include "cuda/pairs/neighbour_lists.h"
#include "model/run_setup.h"

namespace sluice::cuda {

/// The rheology of one fluid.
struct FluidLaw {
    Rheology rheology;
    float density_ratio; ///< density over relative density (model/fluids.h)
};

/// What the passes of generalised Newtonian fluids read and write.
struct ViscosityArrays {
    FluidGroups groups;
    const FluidLaw* laws = nullptr; ///< by fluid group
    float* viscosity = nullptr;     ///< by index of the fluid, times the density ratio, m²/s
    Vec3f* acceleration = nullptr;  ///< of the particles that this device steps
};

/// The viscosity of the fluid that this device steps, before an interaction, by its rate of strain, and the greatest of
/// all, for the time step. `id`: of all particles; `lists`: without entries where there are none.
void find_viscosities(const InteractionArgs& args, const ListView& lists, const std::uint32_t* id,
                      const ViscosityArrays& arrays, cudaStream_t stream);
/// The force of the viscosity on the fluid that this device steps, once the viscosity of all that it sees is known.
void find_viscous_forces(const InteractionArgs& args, const ListView& lists, const ViscosityArrays& arrays,
                         cudaStream_t stream);

/// Generalised Newtonian fluids on the device (physics/sph/apparent_viscosity.h). A run without them enqueues nothing.
class ApparentViscosity {
public:
    /// `fluid`: the particles that there is to be room for.
    ApparentViscosity(const RunSetup& setup, std::uint32_t fluid, DeviceMemory& memory);

    bool any() const { return viscosity_.data() != nullptr; }
    void find(const InteractionArgs& args, const ListView& lists, const std::uint32_t* id, cudaStream_t stream) const {
        if (any()) find_viscosities(args, lists, id, arrays_, stream);
    }
    void find_forces(const InteractionArgs& args, const ListView& lists, cudaStream_t stream) const {
        if (any()) find_viscous_forces(args, lists, arrays_, stream);
    }
    /// What the interaction of pairs adds to the rates of the fluid; null without such fluids.
    const Vec3f* force() const { return acceleration_.data(); }
    /// Of the fluid by index.
    float* data() const { return viscosity_.data(); }

private:
    DeviceArray<std::uint32_t> first_id_;
    DeviceArray<FluidLaw> laws_;
    DeviceArray<float> viscosity_;
    DeviceArray<Vec3f> acceleration_;
    ViscosityArrays arrays_;
};

} // namespace sluice::cuda

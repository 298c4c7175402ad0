// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/device_memory.h"
#include "cuda/pairs/interaction.h"
#include "cuda/pairs/neighbour_lists.h"

namespace sluice::cuda {

/// The renormalised gradient of the density at a fluid particle, kg/m⁴, beside its density, loaded 16 bytes at once.
struct alignas(16) DensityGradientRecord {
    float x, y, z;
    float rho; ///< kg/m³
};

/// The gradients of the fluid that this device steps (physics/sph/renormalised_diffusion.h), by index of the fluid.
/// `lists`: without entries where there are none.
void find_density_gradients(const InteractionArgs& args, const ListView& lists, DensityGradientRecord* gradients,
                            cudaStream_t stream);
/// Adds the density diffusion to the rates of the fluid that this device steps, once the gradients of all that it sees
/// are known.
void diffuse_densities(const InteractionArgs& args, const ListView& lists, const DensityGradientRecord* gradients,
                       cudaStream_t stream);

/// The density diffusion of δ-SPH on the device.
class RenormalisedDiffusion {
public:
    RenormalisedDiffusion(const sph::Constants& constants, std::uint32_t fluid, DeviceMemory& memory);

    bool any() const { return gradients_.data() != nullptr; }
    void find_gradients(const InteractionArgs& args, const ListView& lists, cudaStream_t stream) const {
        if (any()) find_density_gradients(args, lists, gradients_.data(), stream);
    }
    void diffuse(const InteractionArgs& args, const ListView& lists, cudaStream_t stream) const {
        if (any()) diffuse_densities(args, lists, gradients_.data(), stream);
    }
    /// Of the fluid by index.
    DensityGradientRecord* data() const { return gradients_.data(); }

private:
    DeviceArray<DensityGradientRecord> gradients_;
};

} // namespace sluice::cuda

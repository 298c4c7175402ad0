// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device_memory.h"
#include "cuda/interaction.h"
#include "cuda/neighbour_lists.h"

namespace sluice::cuda {

/// τ/ρ² of one particle without its trace (physics/sph/sub_particle_stress.h), loaded 16 bytes at once and then the
/// rest.
struct alignas(16) StressRecord {
    float xx, zz, xy, xz;
};
struct alignas(8) StressRest {
    float yz, pressure_term;
};

/// What the passes of the sub-particle-scale model read and write; arrays by index of the fluid.
struct StressArrays {
    StressRecord* stress = nullptr;
    StressRest* rest = nullptr;
    Vec3f* acceleration = nullptr;
};

/// The stresses of the fluid and what they do to it, before an interaction. What of them acts like a pressure goes into
/// the pressure terms of `position`, the array that the view reads. `lists`: without entries where there are none.
void find_stresses(const InteractionArgs& args, const ListView& lists, const StressArrays& arrays, Position* position,
                   cudaStream_t stream);

/// The sub-particle-scale model on the device.
class SubParticleStress {
public:
    SubParticleStress(const sph::Constants& constants, std::uint32_t fluid, DeviceMemory& memory);

    /// Before an interaction; adds what it finds to its arguments.
    void apply(InteractionArgs& args, const ListView& lists, Position* position, cudaStream_t stream) const {
        if (!stress_.data()) return;
        find_stresses(args, lists, {stress_.data(), rest_.data(), acceleration_.data()}, position, stream);
        args.acceleration = acceleration_.data();
    }

private:
    DeviceArray<StressRecord> stress_;
    DeviceArray<StressRest> rest_;
    DeviceArray<Vec3f> acceleration_;
};

} // namespace sluice::cuda

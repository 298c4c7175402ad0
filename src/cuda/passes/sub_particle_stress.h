// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device/device_memory.h"
#include "cuda/pairs/interaction.h"
#include "cuda/pairs/neighbour_lists.h"

namespace sluice::cuda {

/// τ/ρ² of one particle without its trace (physics/sph/sub_particle_stress.h), loaded 16 bytes at once and then the
/// rest.
struct alignas(16) StressRecord {
    float xx, zz, xy, xz;
};
struct alignas(8) StressRest {
    float yz, pressure_term;
};

/// What the passes of the sub-particle-scale model read and write.
struct StressArrays {
    StressRecord* stress = nullptr; ///< by index of the fluid
    StressRest* rest = nullptr;     ///< likewise
    Vec3f* acceleration = nullptr;  ///< of the particles that this device steps
};

/// The stresses of the fluid, before an interaction. `lists`: without entries where there are none.
void find_stresses(const InteractionArgs& args, const ListView& lists, const StressArrays& arrays, cudaStream_t stream);
/// Their trace acts like a pressure: it goes into the pressure terms of `position`, the array that the view reads, of
/// all the fluid `seen`, whose stresses are known by now.
void add_traces(const InteractionArgs& args, const StressArrays& arrays, Position* position, const Range& seen,
                cudaStream_t stream);
/// The force of the rest of them on the fluid that this device steps.
void diverge_stresses(const InteractionArgs& args, const ListView& lists, const StressArrays& arrays,
                      cudaStream_t stream);

/// The sub-particle-scale model on the device.
class SubParticleStress {
public:
    SubParticleStress(const sph::Constants& constants, std::uint32_t fluid, DeviceMemory& memory);

    void find(const InteractionArgs& args, const ListView& lists, cudaStream_t stream) const {
        if (any()) find_stresses(args, lists, arrays(), stream);
    }
    void add_traces(const InteractionArgs& args, Position* position, const Range& seen, cudaStream_t stream) const {
        if (any()) cuda::add_traces(args, arrays(), position, seen, stream);
    }
    void diverge(const InteractionArgs& args, const ListView& lists, cudaStream_t stream) const {
        if (any()) diverge_stresses(args, lists, arrays(), stream);
    }
    /// What the interaction of pairs adds to the rates of the fluid; null without a model.
    const Vec3f* force() const { return acceleration_.data(); }
    bool any() const { return stress_.data() != nullptr; }
    StressArrays arrays() const { return {stress_.data(), rest_.data(), acceleration_.data()}; }

private:
    DeviceArray<StressRecord> stress_;
    DeviceArray<StressRest> rest_;
    DeviceArray<Vec3f> acceleration_;
};

} // namespace sluice::cuda

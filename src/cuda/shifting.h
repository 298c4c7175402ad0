// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device_memory.h"
#include "cuda/interaction.h"
#include "cuda/neighbour_lists.h"
#include "cuda/rigid_objects.h"

namespace sluice::cuda {

/// How far every fluid particle is shifted at the end of the step (physics/sph/shifting.h): `shifts` by index of the
/// fluid, m. After the interaction and the time step. `id`: of all particles; `lists`: without entries where there are
/// none.
void find_shifts(const InteractionArgs& args, const ListView& lists, const std::uint32_t* id, const RigidView& rigid,
                 Vec3f* shifts, cudaStream_t stream);

/// Particle shifting on the device.
class ParticleShifts {
public:
    ParticleShifts(const sph::Constants& constants, std::uint32_t fluid, DeviceMemory& memory) {
        if (constants.shifting != sph::Shifting::none && fluid > 0)
            shifts_ = {memory, fluid, "shifts of the particles"};
    }
    void find(const InteractionArgs& args, const ListView& lists, const std::uint32_t* id, const RigidObjects& rigid,
              cudaStream_t stream) const {
        if (shifts_.data()) find_shifts(args, lists, id, rigid.view(), shifts_.data(), stream);
    }
    /// Of the fluid by index, m; null where nothing shifts.
    Vec3f* data() const { return shifts_.data(); }

private:
    DeviceArray<Vec3f> shifts_;
};

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/device_memory.h"
#include "cuda/host_copies.h"
#include "cuda/interaction.h"
#include "cuda/neighbour_lists.h"
#include "cuda/rigid_objects.h"

namespace sluice::cuda {

/// The zones in which particles are shifted.
struct ShiftZonesView {
    const ShiftZone* zones = nullptr;
    int count = 0;
};

/// How far every fluid particle is shifted at the end of the step (physics/sph/shifting.h): `shifts` by index of the
/// fluid, m. After the interaction and the time step. `id`: of all particles; `lists`: without entries where there are
/// none.
void find_shifts(const InteractionArgs& args, const ListView& lists, const std::uint32_t* id, const RigidView& rigid,
                 const ShiftZonesView& zones, Vec3f* shifts, cudaStream_t stream);

/// Particle shifting on the device.
class ParticleShifts {
public:
    ParticleShifts(const RunSetup& setup, std::uint32_t fluid, DeviceMemory& memory) {
        if (setup.constants.shifting == sph::Shifting::none || fluid == 0) return;
        shifts_ = {memory, fluid, "shifts of the particles"};
        if (setup.shift_zones.empty()) return;
        zones_ = {memory, setup.shift_zones.size(), "zones of particle shifting"};
        upload(setup.shift_zones, zones_.data());
        view_ = {zones_.data(), static_cast<int>(setup.shift_zones.size())};
    }
    void find(const InteractionArgs& args, const ListView& lists, const std::uint32_t* id, const RigidObjects& rigid,
              cudaStream_t stream) const {
        if (shifts_.data()) find_shifts(args, lists, id, rigid.view(), view_, shifts_.data(), stream);
    }
    /// Of the fluid by index, m; null where nothing shifts.
    Vec3f* data() const { return shifts_.data(); }

private:
    DeviceArray<Vec3f> shifts_;
    DeviceArray<ShiftZone> zones_;
    ShiftZonesView view_;
};

} // namespace sluice::cuda

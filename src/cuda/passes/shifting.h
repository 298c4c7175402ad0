// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/shift_record.h"
#include "cuda/device/device_memory.h"
#include "cuda/device/host_copies.h"
#include "cuda/pairs/interaction.h"
#include "cuda/pairs/neighbour_lists.h"
#include "cuda/passes/rigid_objects.h"

namespace sluice::cuda {

/// The zones in which particles are shifted.
struct ShiftZonesView {
    const ShiftZone* zones = nullptr;
    int count = 0;
};

/// How far every fluid particle is shifted at the end of the step (physics/sph/shifting.h): `shifts` by index of the
/// fluid. After the interaction and the time step. `id`: of all particles; `lists`: without entries where there are
/// none.
void find_shifts(const InteractionArgs& args, const ListView& lists, const std::uint32_t* id, const RigidView& rigid,
                 const ShiftZonesView& zones, ShiftRecord* shifts, cudaStream_t stream);
/// Adds what the shifts of all the fluid that is seen do to the densities to the rates.
void follow_shifts(const InteractionArgs& args, const ListView& lists, const ShiftRecord* shifts, cudaStream_t stream);

/// Particle shifting on the device.
class ParticleShifts {
public:
    ParticleShifts(const RunSetup& setup, std::uint32_t fluid, DeviceMemory& memory) {
        if (setup.constants.shifting == sph::Shifting::none || fluid == 0) return;
        follow_ = setup.constants.shift_follows;
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
    /// Whether densities follow the shifts.
    bool density_follows() const { return follow_; }
    void follow(const InteractionArgs& args, const ListView& lists, cudaStream_t stream) const {
        if (follow_) follow_shifts(args, lists, shifts_.data(), stream);
    }
    /// Of the fluid by index; null where nothing shifts.
    ShiftRecord* data() const { return shifts_.data(); }

private:
    bool follow_ = false;
    DeviceArray<ShiftRecord> shifts_;
    DeviceArray<ShiftZone> zones_;
    ShiftZonesView view_;
};

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "cuda/shares/process_group.h"
#include "cuda/steps/step_queue.h"

namespace sluice::cuda {

// Copies of a whole state between host and device, while no steps are under way.

/// Writes a state to the device, boundary particles first, and what follows from it; with lists as the state describes
/// them, if it does. RunError for a state that does not fit.
void upload_state(StepQueue& queue, const ParticleGroups& groups, const ParticleState& state);

/// Those of the particles on the device that are still in the run, by their cells: in the order of the state.
std::vector<std::uint32_t> particles_in_run(const RunArrays& run, const std::vector<std::uint32_t>& cell);

/// Some of the particles on a device.
struct DevicePiece {
    const StepQueue* queue; ///< null: of another process
    Range slots;
    std::size_t device = 0; ///< its number in the run
};

/// What lies on the devices of a run piece by piece: all processes ask for the same at once, and all get all of it.
struct DevicePieces {
    ProcessGroup group;
    std::vector<DevicePiece> pieces;

    /// Some device of this process.
    const StepQueue& here() const;
    std::size_t particles() const;
};

/// The state that lies on the devices piece by piece, in that order, without those that have left. `control`: as read
/// from the device; `with_section`: with what a resumed run takes to go on bit for bit.
ParticleState download_state(const DevicePieces& pieces, const Control& control, bool with_section);

/// Rates of an interaction, piece by piece, as Backend::rates().
void download_rates(const DevicePieces& pieces, std::vector<Vec3f>& acceleration, std::vector<float>& density_rate);

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include "model/particle_groups.h"

namespace sluice::cuda {

/// The fluid groups of a run as kernels see them.
struct FluidGroups {
    const std::uint32_t* first_id = nullptr; ///< of each group, in their order
    std::uint32_t count = 0;

    /// Which one the particle with this id belongs to, counted from 1 (RunSetup::phase_of); 0: none, it is a boundary
    /// particle.
    SLUICE_INLINE std::uint32_t phase_of(std::uint32_t id) const {
        std::uint32_t phase = 0;
        for (std::uint32_t k = 0; k < count; ++k) phase += first_id[k] <= id;
        return phase;
    }
};

/// The first id of each fluid group.
inline std::vector<std::uint32_t> first_ids_of_fluids(const ParticleGroups& groups) {
    std::vector<std::uint32_t> first;
    for (const ParticleGroup& group : groups.all())
        if (group.is_fluid()) first.push_back(group.begin);
    return first;
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "model/frame.h"
#include "model/particle_groups.h"

namespace sluice {

/// Figures of the whole fluid at one time, as dam-break experiments and other solvers report them.
struct FlowStatistics {
    double time = 0; ///< s
    std::uint32_t fluid_count = 0;
    double front = 0;                        ///< largest x of the fluid, m
    Vec3d centroid;                          ///< m
    double highest = 0;                      ///< largest z of the fluid, m
    double kinetic_energy = 0;               ///< ½ Σ m v², J (per metre of width in 2-D)
    double potential_energy = 0;             ///< −Σ m g·r, J
    double density_min = 0, density_max = 0; ///< kg/m³
    double speed_max = 0;                    ///< m/s
};

/// Statistics of the fluid of a frame (the particles of the fluid groups).
FlowStatistics flow_statistics(const Frame& frame, const sph::Constants& constants, const ParticleGroups& groups);

} // namespace sluice

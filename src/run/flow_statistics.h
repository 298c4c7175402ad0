// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "model/fluids.h"
#include "model/frame.h"
#include "model/particle_groups.h"

namespace sluice {

/// Figures of the whole fluid at one time, as dam-break experiments and other solvers report them. In 2-D masses,
/// volumes, momenta and energies are per metre of width.
struct FlowStatistics {
    double time = 0; ///< s
    std::int64_t step = 0;
    std::uint32_t fluid_count = 0;
    double front = 0;                        ///< largest x of the fluid, m
    Vec3d centroid;                          ///< m
    double highest = 0;                      ///< largest z of the fluid, m
    double kinetic_energy = 0;               ///< ½ Σ m v², J
    double potential_energy = 0;             ///< −Σ m g·r, J
    double density_min = 0, density_max = 0; ///< kg/m³
    double speed_max = 0;                    ///< m/s
    double mass = 0;                         ///< Σ m, kg
    double volume = 0;                       ///< Σ m/ρ, m³
    Vec3d momentum;                          ///< Σ m v, kg m/s
    double internal_energy = 0;              ///< Σ m e(ρ), 0 at the reference density, J
    double wall_energy = 0;                  ///< Σ m e(ρ) of the dynamic boundary particles likewise, J
    double depth = 0;                        ///< extent of the fluid along gravity, m; 0 without gravity
};

/// Statistics of the fluid of a frame (the particles of the fluid groups), summed in the order of the ids: they depend
/// on nothing but the frame. `groups`: with masses. `normals`: RunSetup::normals, by which boundary particles are
/// dynamic or not. `fluids`: RunSetup::fluids; with several the energy of walls is not known, and 0.
FlowStatistics flow_statistics(const Frame& frame, const sph::Constants& constants, const ParticleGroups& groups,
                               const std::vector<Vec3f>& normals, const Fluids& fluids = {});

} // namespace sluice

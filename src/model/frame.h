// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"
#include "model/bodies.h"
#include "model/links.h"
#include "model/moorings.h"
#include "model/wave_absorption.h"
#include "model/work_counts.h"
#include <cstdint>
#include <vector>

namespace sluice {

/// The values that particles have in frames besides id and position; model/fields.h describes them.
enum class Field : std::uint8_t {
    velocity,
    pressure,
    density,
    vorticity,
    velocity_divergence,
    position_divergence,
    wall_pressure,
    displacement,
    von_mises,
    principal_stress,
    strain_energy,
    pressure_gradient,
    vx_gradient,
    vy_gradient,
    vz_gradient
};

/// All particles in the run at one time, sorted by id (so that the boundary particles come first).
struct Frame {
    int number = 0; ///< 0 is the initial state
    std::int64_t step = 0;
    double time = 0; ///< s
    std::vector<std::uint32_t> id;
    std::vector<Vec3d> position; ///< absolute, m
    std::vector<Vec3f> velocity; ///< m/s
    std::vector<float> density;  ///< kg/m³
    std::vector<float> pressure; ///< Pa
    // where asked for (model/fields.h says what they are); NaN for particles that have none, empty otherwise
    std::vector<Vec3f> vorticity{};           ///< 1/s
    std::vector<float> velocity_divergence{}; ///< 1/s
    std::vector<float> position_divergence{};
    std::vector<float> wall_pressure{};                             ///< Pa; only in stored frames, as what follows
    std::vector<Vec3f> displacement{};                              ///< of flexible bodies, m
    std::vector<float> von_mises{};                                 ///< Pa
    std::vector<Vec3f> principal_stress{};                          ///< Pa
    std::vector<float> strain_energy{};                             ///< J/m³
    std::vector<Vec3f> pressure_gradient{};                         ///< Pa/m
    std::vector<Vec3f> vx_gradient{}, vy_gradient{}, vz_gradient{}; ///< 1/s

    std::vector<BodyReport> bodies;       ///< in the order of RunSetup::bodies, with absolute centres
    MooringState moorings;                ///< of RunSetup::moorings, with places as in it
    std::vector<AbsorberState> absorbers; ///< in the order of RunSetup::absorbers, with places as in it
    std::vector<Link> links;              ///< mooring lines and joints, where frames are stored and drawn
    WorkCounts work;                      ///< since the start of the run

    std::size_t size() const { return id.size(); }
};

} // namespace sluice

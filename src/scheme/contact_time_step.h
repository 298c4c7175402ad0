// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "physics/dem/contact.h"

// What elastic contacts allow as a time step, expressed as a speed: A.8 then takes CFL·h over it, whatever CFL is.
// For a spring the kick and the drift of Verlet's and of staggered steps are the leapfrog. With a dashpot that takes
// the part V = 2ζs of the velocity in a step it is stable where s² ≤ 2(2 − V), s = Δt√(K/m) (scheme/stability.h): s =
// 1/4 leaves room for every damping ratio ζ up to 1.

namespace sluice::dem {
inline namespace SLUICE_ISA {

/// A fiftieth of the shortest contact (Canelas et al. 2016). `pace`: the greatest of the pairs in reach.
SLUICE_INLINE double speed_of_contact(const sph::Constants& c, double pace) {
    return pace > 0 ? 50 * c.cfl * c.h / contact_time(pace) : 0;
}

/// A quarter of √(m/K): so many springs may hold a body at once that it swings faster than one contact lets it.
SLUICE_INLINE double speed_of_springs(const sph::Constants& c, double mass, double stiffness) {
    return 4 * c.cfl * c.h * sqrt(stiffness / mass);
}

/// Below which sliding friction turns into creep, m/s.
SLUICE_INLINE double creep_speed(const sph::Constants& c) { return 1e-4 * c.c0; }

} // namespace SLUICE_ISA
} // namespace sluice::dem

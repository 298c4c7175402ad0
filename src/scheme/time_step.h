// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "physics/math.h"

// The variable time step (A.8; Monaghan & Kos 1999):
//   Δt = CFL·min(Δt_f, Δt_cv),  Δt_f = min_a sqrt(h/|f_a|),  Δt_cv = min_a h/(c_a + max_b |h v_ab·r_ab/(r²+η²)|)
// Backends reduce the largest |f|² and the largest denominator of Δt_cv; these lines do the rest.

namespace sluice::sph {

/// Largest values over the particles that limit the time step, as a reduction leaves them.
struct TimeStepLimits {
    float force2 = 0; ///< |f|², m²/s⁴
    float speed = 0;  ///< c_a + max_b |h v_ab·r_ab/(r²+η²)|, m/s
};

inline namespace SLUICE_ISA {

/// The time step (s) before the lower bound: not finite or zero means that the run has blown up.
SLUICE_INLINE double unbounded_time_step(double cfl, double h, const TimeStepLimits& limits) {
    const double by_speed = h / double(limits.speed);
    if (!(limits.force2 > 0)) return cfl * by_speed;
    const double by_force = sqrt(h / sqrt(double(limits.force2)));
    return cfl * minimum(by_force, by_speed);
}

/// Time step of a run (s): fixed if the case says so, else variable and never below dt_min. NaN stays NaN.
SLUICE_INLINE double time_step(const Constants& c, const TimeStepLimits& limits) {
    if (c.dt_fixed > 0) return c.dt_fixed;
    const double dt = unbounded_time_step(c.cfl, c.h, limits);
    return dt < c.dt_min ? c.dt_min : dt; // written so that NaN passes
}

} // namespace SLUICE_ISA
} // namespace sluice::sph

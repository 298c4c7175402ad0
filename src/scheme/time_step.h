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
    float force2 = 0;    ///< |f|², m²/s⁴
    float speed = 0;     ///< c_a + max_b |h v_ab·r_ab/(r²+η²)|, m/s
    float viscosity = 0; ///< apparent, of a generalised Newtonian fluid, m²/s
    float tension = 0;   ///< of a surface, over the mean density of both its sides, m³/s²
};

inline namespace SLUICE_ISA {

/// A.8 (s): not finite or zero means that the run has blown up.
SLUICE_INLINE double courant_time_step(double cfl, double h, const TimeStepLimits& limits) {
    const double by_speed = h / double(limits.speed);
    if (!(limits.force2 > 0)) return cfl * by_speed;
    const double by_force = sqrt(h / sqrt(double(limits.force2)));
    return cfl * minimum(by_force, by_speed);
}

/// What laminar viscosity allows (s): 0.125 h²/ν (Morris et al. 1997). Verlet leaps over two steps with the friction of
/// the one between, which lets the shortest waves grow from one Euler step to the next: its steps are shorter the rarer
/// those are. Along lines of centres it is ν(∇²v + 2∇∇·v), which damps waves of compression three times as fast.
/// Infinite without laminar viscosity.
SLUICE_INLINE double viscous_time_step(const Constants& c, double nu) {
    const double greatest = nu * maximum(1.0, c.boundary_viscosity_factor); // between fluid and walls
    const double fastest = c.viscosity == ViscosityModel::laminar_central ? 3 * greatest : greatest;
    const double morris = 0.125 * c.h * c.h / fastest;
    return c.integrator == Integrator::verlet && c.verlet_steps > 4 ? morris * 4 / c.verlet_steps : morris;
}
SLUICE_INLINE double viscous_time_step(const Constants& c) { return viscous_time_step(c, c.nu); }

/// What the shortest capillary waves allow (s): a quarter of sqrt(ρ̄ h³/(2πσ)), with the mean density ρ̄ of both sides
/// of the surface (Brackbill et al. 1992). `tension`: σ/ρ̄, m³/s². Infinite without.
SLUICE_INLINE double tension_time_step(double h, double tension) {
    return 0.25 * sqrt(h * h * h / (2 * 3.14159265358979324 * tension));
}

/// Time step of a run (s): fixed if the case says so, else A.8 but never below dt_min, nor above what laminar viscosity
/// and surface tension allow. NaN stays NaN.
SLUICE_INLINE double time_step(const Constants& c, const TimeStepLimits& limits) {
    if (c.dt_fixed > 0) return c.dt_fixed;
    double dt = courant_time_step(c.cfl, c.h, limits);
    if (dt < c.dt_min) dt = c.dt_min; // written so that NaN passes
    const double nu = c.viscosity == ViscosityModel::apparent ? double(limits.viscosity) : c.nu;
    if (nu > 0 && dt > viscous_time_step(c, nu)) dt = viscous_time_step(c, nu);
    const double waves = tension_time_step(c.h, double(limits.tension));
    return dt > waves ? waves : dt;
}

} // namespace SLUICE_ISA
} // namespace sluice::sph

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "scheme/time_step.h"

// What a backend makes of the limits that its reduction left: the next time step, or the verdict that there is none.

namespace sluice::sph {

/// The time step of the step to come.
struct TimeStepChoice {
    double dt = 0;         ///< s
    bool raised = false;   ///< the case's smallest time step is larger than A.8
    bool blown_up = false; ///< no time step can follow: see `has_blown_up`
};

inline namespace SLUICE_ISA {

/// Whether the run has no future: forces or speeds are not finite, or there is no fluid left to limit the step.
/// A.8 decides, whether or not the case fixes or bounds its time step.
SLUICE_INLINE bool has_blown_up(const Constants& c, const TimeStepLimits& limits) {
    const double dt = courant_time_step(c.cfl, c.h, limits);
    return !(dt > 0) || !(dt - dt == 0);
}

/// The next time step with all the bounds of the case. `step` counts from 0; `dt_limit` is the bound that the step
/// before left (s): the corrector of a symplectic one, the length of a staggered one; 0: none.
SLUICE_INLINE TimeStepChoice choose_time_step(const Constants& c, const TimeStepLimits& limits, long long step,
                                              double dt_limit) {
    TimeStepChoice choice;
    choice.blown_up = has_blown_up(c, limits);
    choice.dt = time_step(c, limits);
    if (c.dt_fixed > 0) return choice;
    choice.raised = courant_time_step(c.cfl, c.h, limits) < c.dt_min;
    if (step == 0 && c.dt_initial > 0) choice.dt = minimum(choice.dt, c.dt_initial);
    if (c.integrator != Integrator::verlet && dt_limit > 0) choice.dt = minimum(choice.dt, dt_limit);
    return choice;
}

} // namespace SLUICE_ISA
} // namespace sluice::sph

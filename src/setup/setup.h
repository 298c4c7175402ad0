// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/particle_state.h"
#include "model/run_setup.h"

namespace sluice {

/// Constants of a run from its case and its particles: smoothing length, masses, speed of sound, B, smallest time
/// step. Throws InputError where the case leaves one undefined or contradicts itself.
sph::Constants make_constants(const Case& definition, const ParticleSet& particles);

/// The box that particles must stay in: the case's `simulationdomain`, widened by a small margin (a twentieth of the
/// smoothing length), so that a particle drawn on the limit is not lost to rounding. Periodic axes: see make_period.
/// The zones of open boundaries (in absolute positions) lie in it whatever the case says.
Domain make_domain(const Case& definition, const ParticleSet& particles, const sph::Constants& constants,
                   const OpenZones& open = {});

/// The periodic axes of the case; their period is the domain's length. Without a limit of its own in `simulationdomain`
/// a periodic axis of the domain ends half a spacing beyond the particles.
Period make_period(const Case& definition, const Domain& domain);

/// Constants, domain, period and groups together. Throws InputError where a value is outside of what can work
/// (check_bounds).
RunSetup make_run_setup(const Case& definition, const ParticleSet& particles);

/// The state at time zero: positions and velocities of the particles, densities as `rhopgradient` asks
/// (boundary particles start at the reference density).
ParticleState make_initial_state(const Case& definition, const ParticleSet& particles, const RunSetup& setup);

} // namespace sluice

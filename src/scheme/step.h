// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "scheme/integrators.h"
#include "scheme/stage.h"

// The order of a step. No other file defines it: the CPU, a GPU, several GPUs and several processes all run these
// functions. A backend is a class with one function a pass, `Passes`. On a GPU a pass enqueues work and the time step
// stays on the device; with several devices or ranks a pass ends with the exchange of its results.
//
// x, v, rho: of the particles. rates: dv/dt and drho/dt. A pass that a run has no use for does nothing.
//
//   pass                   reads                        writes
//   build_cells            x                            the order of the particles, cells, neighbour lists
//   absorb_waves           x at gauges                  how absorbing pistons are off their prescribed motion
//   impose_flow            x, v, rho near open sides    v, rho of particles in open boundaries; the work of that
//   extrapolate_to_walls   x, v, rho at ghost nodes     rho, v of walls from ghost nodes
//   find_stresses          x, v, rho                    sub-particle stresses; their trace goes into the pressure terms
//   diverge_stresses       x, rho, stresses             the force of the stresses
//   take_wall_velocities   -                            v of walls from ghost nodes: their own, not what they mirror
//   interact_pairs         x, v, rho, that force        rates, or those of v or of rho alone; the reactions on bodies
//   add_contacts           x, v of walls and bodies     what pushes bodies; drho/dt of walls near them
//   sum_loads              reactions, contacts          force and moment on each body
//   accelerate             x                            rates, by acceleration inputs
//   diffuse_densities      x, rho                       drho/dt, by the density diffusion of renormalised gradients
//   hold_flow              x, v, rho, rates             rates in open boundaries: none; the work of that
//   reduce_time_step       rates, v, rho                the time step
//   find_shifts            x, rho                       the shifts of the particles
//   follow_shifts          x, v, rho, shifts            drho/dt, by what shifts do to the volume
//   move_bodies            loads, forces on walls       bodies and moving walls as objects; the work of what moves them
//   integrate_particles    x, v, rho, rates, shifts     x, v, rho; excluded particles
//   place_boundary         objects                      x, v of the particles of bodies and moving walls
//   relax                  x, v                         v in damping and relaxation zones, their work
//   finish_step            x                            particles that pass open boundaries; step number and time

namespace sluice {

/// What pistons that absorb waves do before an interaction.
enum class Absorbers {
    move_on, ///< they look at the water: at the begin of a step
    stay,
};

/// dv/dt and dρ/dt of every particle, of particles in cells; or one of the two, which a staggered step takes at
/// different times.
template <class Passes>
void find_rates(Passes& passes, sph::RatesPart part, Absorbers absorbers) {
    if (absorbers == Absorbers::move_on) passes.absorb_waves();
    passes.impose_flow();
    if (part == sph::RatesPart::density) {
        passes.take_wall_velocities();
        passes.interact_pairs(part);
        passes.add_contacts();
    } else {
        passes.extrapolate_to_walls();
        passes.find_stresses();
        passes.diverge_stresses();
        passes.interact_pairs(part);
        passes.add_contacts();
        passes.sum_loads();
        passes.accelerate();
    }
    if (part != sph::RatesPart::velocity) passes.diffuse_densities();
    passes.hold_flow(part);
}

/// Brings all particles to the end of a stage.
template <class Passes>
void integrate(Passes& passes, Stage stage) {
    passes.move_bodies(stage);
    passes.integrate_particles(stage);
    passes.place_boundary(stage);
}

/// The same of a stage that ends a step: shifts are part of it.
template <class Passes>
void integrate_to_end(Passes& passes, Stage stage) {
    passes.find_shifts();
    passes.follow_shifts();
    integrate(passes, stage);
}

/// The rates that a step begins with.
constexpr sph::RatesPart first_part(sph::Integrator integrator) {
    return integrator == sph::Integrator::staggered ? sph::RatesPart::velocity : sph::RatesPart::both;
}

/// One step (docs/theory.md, Time integration). `interact` calls find_rates(), as often as a backend has to.
template <class Passes>
void take_step(Passes& passes, sph::Integrator integrator) {
    using enum sph::RatesPart;
    passes.build_cells();
    passes.interact(first_part(integrator), Absorbers::move_on);
    passes.reduce_time_step();
    switch (integrator) {
    case sph::Integrator::verlet: integrate_to_end(passes, Stage::whole_step); break;
    case sph::Integrator::symplectic:
        integrate(passes, Stage::predictor);
        passes.build_cells();
        passes.interact(both, Absorbers::stay);
        passes.reduce_corrector_limit();
        integrate_to_end(passes, Stage::corrector);
        break;
    case sph::Integrator::staggered:
        integrate(passes, Stage::kick);
        passes.build_cells();
        passes.interact(density, Absorbers::stay);
        integrate_to_end(passes, Stage::drift);
        break;
    }
    passes.relax();
    passes.finish_step();
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"

namespace sluice {

/// One step of the simulation, read as in the paper (000, Fig. 1). `Phases` are a backend's own stages; on a GPU
/// they only enqueue work, and the time step stays on the device.
///
///   build_cells()        NL: sort the particles by cell, CellBegin/End
///   absorb_waves()       how pistons that absorb waves move on
///   interact()           PI: dv/dt and dρ/dt of every particle
///   reduce_time_step()   SU: A.8
///   shift()              where particles are to be shifted to, for the step's last stage
///   integrate_*()        SU: A.7, or the symplectic stages; exclusion
///   relax()              velocities in damping and relaxation zones, and the work of what leads the fluid
template <class Phases>
void take_step(Phases& phases, sph::Integrator integrator) {
    phases.build_cells();
    phases.absorb_waves();
    phases.interact();
    phases.reduce_time_step();
    if (integrator == sph::Integrator::verlet) {
        phases.shift();
        phases.integrate_verlet();
    } else {
        phases.integrate_predictor();
        phases.build_cells();
        phases.interact();
        phases.reduce_corrector_limit();
        phases.shift();
        phases.integrate_corrector();
    }
    phases.relax();
    phases.finish_step();
}

} // namespace sluice

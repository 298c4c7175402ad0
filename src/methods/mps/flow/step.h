// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/flow/flow.h"
#include <utility>

// The order of a step of a flow by MPS: a kick and a drift, then the densities follow with the new velocities at the
// new places,
//
//   v ← v + Δt dv/dt(r, v, ρ),  r ← r + Δt v,  ρ ← ρ + Δt dρ/dt(r, v, ρ)
//
// so that one search serves the densities of a step and the forces of the next.
//
//   pass                reads                     writes
//   accelerate          r, v, p, neighbours       dv/dt, the largest of |dv/dt| and |v|
//   move                v, dv/dt                  v, r
//   find_neighbours     r                         neighbours
//   find_density_rates  r, v, ρ, neighbours       dρ/dt, fullness
//   compress            ρ, dρ/dt, fullness        ρ
//   find_pressures      r, ρ, neighbours          p of the fluid, then of walls

namespace sluice::mps {

/// Gives the flow particles from which steps go on.
inline void begin_flow(Flow& flow, FlowParticles particles) {
    flow.set_particles(std::move(particles));
    flow.find_neighbours();
    flow.find_pressures();
}

/// Advances a flow by a step. `choose(limits)` gives its time step, s. `take_out()` removes the fluid that may not stay
/// and returns whether there was any: by its place before the search, since buckets cover all particles, and then by
/// its density.
template <class Choose, class TakeOut>
void take_step(Flow& flow, const Choose& choose, const TakeOut& take_out) {
    const double dt = choose(flow.accelerate());
    flow.move(dt);
    take_out();
    flow.find_neighbours();
    flow.find_density_rates();
    flow.compress(dt);
    flow.find_pressures();
    if (!take_out()) return;
    flow.find_neighbours();
    flow.find_pressures();
}

} // namespace sluice::mps

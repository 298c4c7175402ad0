// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"

namespace sluice {

/// The 3-D dam break of the benches: water of 0.4 × 0.67 × 0.3 m in a tank of 1.6 × 0.67 × 0.4 m with a square column
/// standing in it, walls of one layer of particles.
struct DamBreak {
    RunSetup setup;
    ParticleState state;
};

DamBreak make_dam_break(double dp, sph::Integrator integrator = sph::Integrator::verlet);

/// A block of still water over a floor, about so many particles, as large as memory allows: for the limits of a mode.
DamBreak make_large_tank(double particles);

/// 1.6 × 0.67 × 0.4 m of water in a closed tank whose walls have so many layers and stand half a spacing off the water.
/// The normals of the walls are set, their ghost nodes all lie in the water. It turns in the plane of x and z, at
/// `speed` (m/s) along the middle of the floor.
DamBreak make_full_tank(double dp, int layers, double speed);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/run_setup.h"

namespace sluice {

/// Adds an object to `motions` for each layer of the layered pistons of a case, which moves as the velocities of its
/// files say up to `horizon` (s), and says which particles belong to which. Throws InputError where a file cannot be
/// used or a piston has no particles.
std::vector<LayeredWall> add_layered_pistons(const Case& definition, const ParticleSet& particles, double horizon,
                                             Motions& motions);

} // namespace sluice

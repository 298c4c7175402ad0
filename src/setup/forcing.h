// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/forcing.h"
#include "model/particle_groups.h"

namespace sluice {

/// The damping zones and acceleration inputs of a case for its particles, with places measured from `origin`, m. Reads
/// the files of accelerations. Throws InputError where one cannot be used, where an mkfluid has no particles, and where
/// a 2-D case would leave its plane.
Forcing make_forcing(const Case& definition, const ParticleGroups& groups, const Vec3d& origin);

/// Warns of damping zones in which no fluid is at the start.
void lint_damping(const Case& definition, const ParticleSet& particles, std::vector<Diagnostic>& out);

/// Warns of inputs that turn without saying in which form: the reference solver's is another.
void lint_rotations(const Case& definition, const Forcing& forcing, std::vector<Diagnostic>& out);

} // namespace sluice

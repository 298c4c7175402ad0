// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"
#include "model/constants.h"
#include <vector>

namespace sluice {

/// casedef/initials: densityuniform, densitygradient and densitydepth, in their order, over what is in `density`
/// (kg/m³, indexed by id).
void apply_initial_densities(const Case& definition, const ParticleSet& particles, const sph::Constants& constants,
                             std::vector<float>& density);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"

namespace sluice {

/// Warns where fluid would fall out of the case: where many of its columns (along the axis that gravity is nearest to)
/// have no boundary particle below their lowest fluid particle. Without gravity nothing falls.
void check_floor(const Case& the_case, const ParticleSet& set, std::vector<Diagnostic>& diagnostics);

} // namespace sluice

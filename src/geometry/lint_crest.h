// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "geometry/particle_set.h"

namespace sluice {

/// Smoothing lengths of water over a crest below which the discharge or the pressures before it are more than 5 % off
/// (docs/validation.md, "Water over a weir").
inline constexpr double least_head = 3;

/// Warns where, in 2-D, water stands beside or over the crest of fixed walls by less than `least_head` smoothing
/// lengths `h` (m); of several crests, of the one with the least water.
void check_crests(const Case& the_case, const ParticleSet& set, double h, std::vector<Diagnostic>& diagnostics);

} // namespace sluice

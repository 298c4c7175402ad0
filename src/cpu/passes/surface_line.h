// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "cpu/subdomains/halo.h"
#include "model/constants.h"
#include "physics/sph/free_surface.h"

namespace sluice::cpu {

/// How far above `foot` (m, from the domain's lower corner) the surface of the sorted fluid is on a vertical line of
/// check points, m; < 0: there is none. `first`: index of the fluid's first record; `limit`: of the fraction of fluid.
/// Sums go in the order of the cells, whatever the threads and ranks. All ranks make the call.
double surface_above(const sph::Constants& c, const Space& space, const SortedGroup& fluid, std::uint32_t first,
                     Halo& halo, const Vec3d& foot, const sph::CheckPoints& points, double limit);

} // namespace sluice::cpu

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "physics/math.h"

namespace sluice::sph {
inline namespace SLUICE_ISA {

/// Boundary particles never pull (Crespo et al. 2007): their density stays at or above the reference.
template <class S>
SLUICE_INLINE S boundary_density(S density, S rho0) {
    return maximum(density, rho0);
}

} // namespace SLUICE_ISA
} // namespace sluice::sph

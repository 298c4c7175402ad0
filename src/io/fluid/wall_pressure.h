// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/fluid/interpolator.h"

namespace sluice {

/// The fluid's pressure carried to a point of a wall, Pa: the mean over the fluid in reach, each particle's pressure
/// brought to the height of the point as in water at rest,
///
///     p_w = Σ_b (p_b + ρ_b g·(x_w − x_b)) (m/ρ_b) W / Σ_b (m/ρ_b) W
///
/// (Adami, Hu & Adams 2012, J. Comput. Phys. 231, eq. 27, for a wall without acceleration). 0 where no fluid is in
/// reach.
double wall_pressure(const FluidInterpolator& fluid, const Vec3d& point);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/fluid/interpolator.h"
#include <vector>

namespace sluice {

/// A part of a vertical that is filled with fluid, m.
struct WaterLayer {
    double lower = 0, upper = 0;
};

/// The fraction of the volume that is fluid at the sides of a layer: the kernel smears the surface of deep water evenly
/// over both sides, so this is where it was.
inline constexpr double layer_fraction = 0.5;

/// The parts of the vertical from `foot` up to the height `top` (m) where φ = Σ_b (m/ρ_b) W is `layer_fraction` or
/// more, from below to above: water under a plunging jet, then the jet. Check points are half a particle spacing apart;
/// φ is linear between them. A layer that goes on beyond an end of the vertical ends there. In two dimensions y does
/// not count.
std::vector<WaterLayer> water_layers(const Vec3d& foot, double top, const FluidInterpolator& fluid);

/// The sum of their heights, m.
double total_height(const std::vector<WaterLayer>& layers);

} // namespace sluice

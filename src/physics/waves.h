// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include <cmath>

// What of the theory of waves is needed while a run goes on; the rest is in setup/wave_theory.h.

namespace sluice::waves {
inline namespace SLUICE_ISA {

/// 0 for s ≤ 0, 1 for s ≥ 1, and 1 − (1−s)³(1+3s) between: how waves begin.
SLUICE_HD inline double ramp_up(double s) {
    if (!(s > 0)) return 0;
    if (s >= 1) return 1;
    const double r = 1 - s;
    return 1 - r * r * r * (1 + 3 * s);
}

/// Orbits z above still water over the amplitude of the elevation: cosh k(z + d)/sinh kd and sinh k(z + d)/sinh kd.
struct DepthProfile {
    double horizontal, vertical;
};
SLUICE_HD inline DepthProfile depth_profile(double wave_number, double depth, double z) {
    const double kd = wave_number * depth, down = exp(wave_number * z), up = exp(-wave_number * z - 2 * kd);
    const double below = 1 - exp(-2 * kd); // exponentials of non-positive numbers in the water
    return {(down + up) / below, (down - up) / below};
}

} // namespace SLUICE_ISA
} // namespace sluice::waves

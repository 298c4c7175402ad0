// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace sluice::waves {

/// A·sin(ωt + φ), or of the elevation A·cos(ωt − kx + φ).
struct Line {
    double frequency = 0, amplitude = 0, phase = 0; ///< rad/s, m, rad
    double wave_number = 0;                         ///< 1/m
};

struct ValueAndRate {
    double value = 0, rate = 0;
};

/// Sum of A·sin(ωt + φ) over the lines at the times 0, step, 2·step …, and its derivative. A value depends on the step
/// and on its place alone, not on the count. The cost is a few operations a line and time, without a sine; of many
/// lines, a few hundred for every line and two thousand times.
std::vector<ValueAndRate> sums(const std::vector<Line>& lines, double step, int count);
/// The same, computed at every `every`-th time only and cubic between.
std::vector<ValueAndRate> coarse_sums(const std::vector<Line>& lines, double step, int count, int every);

/// The lines as they are for a clock that starts `time` later.
std::vector<Line> begun_at(std::vector<Line> lines, double time);

/// ramp_up() (physics/waves.h) and its derivative.
ValueAndRate ramp(double s);

} // namespace sluice::waves

// SPDX-License-Identifier: Apache-2.0
#include "bench/chart.h"

#include <cmath>

namespace sluice::bench {

namespace {

/// 1, 2 or 5 times a power of ten, so that a range has about `parts` parts.
double round_step(double range, int parts) {
    const double raw = range / parts;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (raw <= factor * power * 1.0001) return factor * power;
    return 10 * power;
}

ChartAxis linear_axis(double low, double high, bool from_zero) {
    if (from_zero) low = std::fmin(low, 0);
    if (high <= low) high = low + (low == 0 ? 1 : std::abs(low));
    const double step = round_step(high - low, 5);
    ChartAxis axis;
    axis.low = std::floor(low / step + 1e-9) * step;
    axis.high = std::ceil(high / step - 1e-9) * step;
    const int count = static_cast<int>(std::lround((axis.high - axis.low) / step));
    for (int n = 0; n <= count; ++n) axis.ticks.push_back(axis.low + n * step);
    return axis;
}

/// Labels at 1, 2, 5 of each decade where there are few decades, else at 1.
ChartAxis log_axis(double low, double high) {
    ChartAxis axis;
    axis.log = true;
    low /= 1.15; // room for the markers
    high *= 1.15;
    const double decades = std::log10(high / low);
    axis.low = low;
    axis.high = high;
    for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10)
        for (int digit = 1; digit <= 9; ++digit) {
            const double value = digit * power;
            if (value < low || value > high) continue;
            const bool labelled =
                digit == 1 || (decades < 2.5 && (digit == 2 || digit == 5)) || (decades < 0.8 && digit == 3);
            (labelled ? axis.ticks : axis.minor_ticks).push_back(value);
        }
    return axis;
}

} // namespace

double ChartAxis::place(double value) const {
    if (log) return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
}

ChartAxis make_axis(double low, double high, bool log, bool from_zero) {
    if (!std::isfinite(low) || !std::isfinite(high)) low = 0, high = 1;
    if (log && low > 0) return log_axis(low, high);
    return linear_axis(low, high, from_zero);
}

} // namespace sluice::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"

// Vectors that a case gives over time for a floating body, as plain data: a velocity that it is made to follow on some
// axes, or a force.

namespace sluice {

/// One row of a series, and how the series runs from there to the next row.
struct SeriesSample {
    double time = 0;      ///< s
    Vec3d value;          ///< at that time; on an axis that is left free the last value given before
    Vec3d slope;          ///< per second, up to the next row
    Vec3d integral;       ///< of the value since the first row
    Vec3d given{1, 1, 1}; ///< per axis: 1 if the row gives a value, 0 if it leaves the axis free
};

/// The samples of one series among those of a run, by ascending times; of two at one time the last counts.
struct SeriesRange {
    int first = 0, count = 0;

    SLUICE_HD bool any() const { return count > 0; }
};

/// The sample that says how a series runs at `time`, s. The first one holds for all earlier times too.
SLUICE_HD inline const SeriesSample& sample_at(const SeriesSample* samples, const SeriesRange& range, double time) {
    int low = 0, high = range.count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        (samples[range.first + middle].time <= time ? low : high) = middle;
    }
    return samples[range.first + low];
}

/// A component of a series at `time`, s: linear between rows, held before the first and after the last.
SLUICE_HD inline double value_at(const SeriesSample& sample, int axis, double time) {
    return time > sample.time ? sample.value[axis] + (time - sample.time) * sample.slope[axis] : sample.value[axis];
}

/// What `given_at` says of an axis that is free.
inline constexpr double free_axis = 1e300;

/// A component that a series gives at `time`, s, or `free_axis`: it leaves that axis free, or has no rows.
SLUICE_HD inline double given_at(const SeriesSample* samples, const SeriesRange& range, int axis, double time) {
    if (!range.any()) return free_axis;
    const SeriesSample& sample = sample_at(samples, range, time);
    return sample.given[axis] != 0 ? value_at(sample, axis, time) : free_axis;
}

/// The mean of a component between two times, of which the first is not later, s.
SLUICE_HD inline double mean_between(const SeriesSample* samples, const SeriesRange& range, int axis, double begin,
                                     double end) {
    if (begin == end) return value_at(sample_at(samples, range, end), axis, end);
    const auto integral = [&](double time) {
        const SeriesSample& s = sample_at(samples, range, time);
        return s.integral[axis] + 0.5 * (time - s.time) * (s.value[axis] + value_at(s, axis, time));
    };
    return (integral(end) - integral(begin)) / (end - begin);
}

} // namespace sluice

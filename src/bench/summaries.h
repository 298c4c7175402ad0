// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/experiment.h"
#include <string>
#include <vector>

// Charts and tables that several experiments make of their measurements.

namespace sluice::bench {

/// Every measurement: steps/s, particle-steps/s, spread, and how much faster than `base` at the same size.
ResultTable timing_table(const ExperimentResult& result, const std::string& base);

/// Steps per second of `variant` over those of `base`, against the number of particles, with the spread of the samples.
ChartSeries speedup_series(const ExperimentResult& result, const std::string& variant, const std::string& base);

/// One number of each measurement of a variant, against the number of particles; `value` takes seconds per step and
/// the measurement.
ChartSeries size_series(const ExperimentResult& result, const std::string& variant,
                        double (*value)(double seconds, const Measurement&));

/// Seconds in which the case's 1.5 s would run, if every step cost what the measured ones do. Steps follow from dp: the
/// paper's count at half a million particles, and a time step that is proportional to dp.
double estimated_run_seconds(double seconds_per_step, const Measurement& measurement);

/// The sentence that says how `estimated_run_seconds` comes about.
extern const char* const run_estimate_note;

/// A chart over the number of particles, its axis logarithmic.
Chart size_chart(const std::string& title, const std::string& y_label);

/// Names of the variants, in the order in which they were measured.
std::vector<std::string> variants_of(const ExperimentResult& result);

} // namespace sluice::bench

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run/simulation.h"
#include <chrono>
#include <string>

namespace sluice {

/// How far a run is.
struct ProgressFigures {
    double done = 0;         ///< the part of it that is done, 0 to 1: of the simulated time, or of the steps
    double seconds_left = 0; ///< wall time, s; infinite where nothing is known yet
};

ProgressFigures progress_figures(const Progress& progress);

/// Steps/s of the recent past, from one look to the next.
class RecentRate {
public:
    double look(const Progress& progress);

private:
    bool looked_ = false;
    std::int64_t last_step_ = 0;
    double last_wall_ = 0, rate_ = 0;
};

/// "12.5 %  t = 0.2500 s  left 3 min 20 s  …": how far a run is. Of percent, simulated time, time left, steps/s, step,
/// particle-steps/s and time step, as many as fit into `width` columns.
std::string progress_text(const Progress& progress, double steps_per_second, int width);

/// For programs: one JSON object in a line.
std::string progress_json_line(const Progress& progress, double steps_per_second);

/// How a run tells how far it is.
enum class ProgressStyle {
    line, ///< one line on the terminal, as wide as it, which is rewritten
    log,  ///< a line in the log now and then
    json, ///< progress_json_line() on standard output, once a second and at the end
};

/// Tells it.
class ProgressLine {
public:
    explicit ProgressLine(ProgressStyle style) : style_(style) {}
    void show(const Progress& progress);
    /// Leaves the terminal on a fresh line.
    void finish();

private:
    bool due(bool last);

    ProgressStyle style_;
    bool shown_ = false;
    int lines_ = 0;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    RecentRate rate_;
};

/// "1 h 02 min", "3 min 20 s", "12.3 s"
std::string format_duration(double seconds);

} // namespace sluice

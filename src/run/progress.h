// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run/simulation.h"
#include <chrono>
#include <string>

namespace sluice {

/// "12.5 %  t = 0.2500 s  left 3 min 20 s  …": how far a run is. Of percent, simulated time, time left, steps/s, step,
/// particle-steps/s and time step, as many as fit into `width` columns.
std::string progress_text(const Progress& progress, double steps_per_second, int width);

/// The progress line of a run: see `progress_text`. On a terminal one line, as wide as it, is rewritten; otherwise a
/// line is logged now and then.
class ProgressLine {
public:
    explicit ProgressLine(bool terminal) : terminal_(terminal) {}
    void show(const Progress& progress);
    /// Leaves the terminal on a fresh line.
    void finish();

private:
    bool due(bool last);

    bool terminal_;
    bool shown_ = false;
    int lines_ = 0;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    std::int64_t last_step_ = 0;
    double last_wall_ = 0;
    double rate_ = 0; ///< steps/s, of the recent past
};

/// "1 h 02 min", "3 min 20 s", "12.3 s"
std::string format_duration(double seconds);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <optional>
#include <string>

namespace sluice {

/// Seconds in "90", "15:00" (minutes and seconds), "2:30:00" or "1-12:00:00" (days). Throws InputError.
double parse_duration(const std::string& text);

/// When this process has to be done: after the limit of the user, or of the batch system (SLURM_JOB_END_TIME, seconds
/// since 1970), whichever comes first.
class TimeLimit {
public:
    using Clock = std::chrono::steady_clock;
    TimeLimit(Clock::time_point begin, std::optional<double> seconds);

    /// Seconds left; infinity without a limit.
    double left() const;

private:
    std::optional<Clock::time_point> end_;
};

} // namespace sluice

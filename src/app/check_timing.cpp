// SPDX-License-Identifier: Apache-2.0
#include "app/check_timing.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace sluice {

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

constexpr double warm_up_seconds = 0.4, timed_seconds = 1.2, stretch_seconds = 0.1;

/// Steps taken one after the other, and the wall time of a step in each of several stretches of them.
struct Stretches {
    AdvanceReport begin, end;
    std::vector<double> seconds_per_step;
};

/// Takes steps for so many seconds, or to the time `until` at most.
Stretches take_stretches(Backend& backend, const AdvanceReport& from, AdvanceLimits limits, double seconds) {
    Stretches taken{from, from, {}};
    for (const auto begin = Clock::now(); taken.end.time < limits.time && seconds_since(begin) < seconds;) {
        const auto stretch = Clock::now();
        const std::int64_t before = taken.end.step;
        taken.end = backend.advance(limits);
        taken.seconds_per_step.push_back(seconds_since(stretch) / double(taken.end.step - before));
        if (limits.steps == 1) break;
    }
    return taken;
}

/// The value that a share of the values are below.
double quantile(std::vector<double> values, double share) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * double(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

} // namespace

StepTiming time_first_steps(Backend& backend, double until) {
    StepTiming timing;
    timing.first_dt = backend.next_time_step();
    AdvanceLimits limits;
    limits.time = until;
    limits.steps = 1;
    Stretches taken = take_stretches(backend, {}, limits, timed_seconds);
    limits.steps = 1'000'000'000;
    limits.wall_seconds = stretch_seconds;
    for (const double seconds : {warm_up_seconds, timed_seconds}) {
        const bool slow = taken.seconds_per_step.front() > warm_up_seconds; // one step is warm enough
        if (slow && seconds == warm_up_seconds) continue;
        Stretches next = take_stretches(backend, taken.end, limits, seconds);
        if (!next.seconds_per_step.empty()) taken = std::move(next); // a short run is over before
    }
    timing.steps = taken.end.step - taken.begin.step;
    timing.dt = (taken.end.time - taken.begin.time) / double(timing.steps);
    timing.seconds_per_step = quantile(taken.seconds_per_step, 0.5);
    timing.fewest_seconds = quantile(taken.seconds_per_step, 0.1);
    timing.most_seconds = quantile(taken.seconds_per_step, 0.9);
    return timing;
}

} // namespace sluice

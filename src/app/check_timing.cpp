// SPDX-License-Identifier: Apache-2.0
#include "app/check_timing.h"

#include "io/pictures/picture_series.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <system_error>
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

/// Takes steps for so many seconds, or to the end of the limits at most: one stretch, however long the machine stalls.
Stretches take_stretches(Backend& backend, const AdvanceReport& from, AdvanceLimits limits, double seconds) {
    Stretches taken{from, from, {}};
    const auto begin = Clock::now();
    do {
        const auto stretch = Clock::now();
        const std::int64_t before = taken.end.step;
        taken.end = backend.advance(limits);
        taken.seconds_per_step.push_back(seconds_since(stretch) / double(taken.end.step - before));
    } while (limits.steps != 1 && taken.end.time < limits.time && seconds_since(begin) < seconds);
    return taken;
}

/// How long each thread of this program has been ready to run while other programs had the processors, s, as Linux
/// counts it; nothing where it does not.
std::map<std::string, double> waits_for_processors() {
    std::map<std::string, double> waits;
    std::error_code none; // of a system without such a folder, or of a thread that has just ended
    for (std::filesystem::directory_iterator thread("/proc/self/task", none), end; !none && thread != end;
         thread.increment(none)) {
        std::ifstream file(thread->path() / "schedstat");
        double running = 0, waiting = 0;
        if (file >> running >> waiting) waits[thread->path().filename()] = 1e-9 * waiting;
    }
    return waits;
}

/// The share of some seconds that a step would take on a machine that no other program uses. The threads of a step wait
/// for each other, and each is kept from running when it happens to be: the shares multiply.
double undisturbed_share(const std::map<std::string, double>& begin, double seconds) {
    double share = 1;
    for (const auto& [thread, waited] : waits_for_processors())
        if (const auto before = begin.find(thread); before != begin.end())
            share *= std::clamp(1 - (waited - before->second) / seconds, 0.05, 1.0);
    return share;
}

} // namespace

double quantile(std::vector<double> values, double share) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * double(values.size() - 1) + 0.5);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

StepTiming time_first_steps(Backend& backend, double until) {
    StepTiming timing;
    timing.first_dt = backend.next_time_step();
    AdvanceLimits limits;
    limits.time = until;
    limits.steps = 1;
    auto waits = waits_for_processors();
    auto begin = Clock::now();
    Stretches taken = take_stretches(backend, {}, limits, timed_seconds);
    limits.steps = 1'000'000'000;
    limits.wall_seconds = stretch_seconds;
    for (const double seconds : {warm_up_seconds, timed_seconds}) {
        const bool slow = taken.seconds_per_step.front() > warm_up_seconds; // one step is warm enough
        if (slow && seconds == warm_up_seconds) continue;
        if (taken.end.time >= until) break; // a short run is over before
        waits = waits_for_processors();
        begin = Clock::now();
        taken = take_stretches(backend, taken.end, limits, seconds);
    }
    const double share = undisturbed_share(waits, seconds_since(begin));
    timing.steps = taken.end.step - taken.begin.step;
    timing.dt = (taken.end.time - taken.begin.time) / double(timing.steps);
    timing.seconds_per_step = quantile(taken.seconds_per_step, 0.5);
    timing.fewest_seconds = std::min(quantile(taken.seconds_per_step, 0.1), share * timing.seconds_per_step);
    timing.most_seconds = quantile(taken.seconds_per_step, 0.9);
    return timing;
}

double time_pictures(const Frame& frame, const ParticleLayout& layout, double count) {
    const auto begin = Clock::now();
    picture_png(frame, layout, {});
    return seconds_since(begin) * std::ceil(count / double(drawn_at_once()));
}

} // namespace sluice

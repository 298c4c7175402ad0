// SPDX-License-Identifier: Apache-2.0
#include "run/progress.h"

#include "core/log.h"
#include "core/terminal.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace sluice {

std::string format_duration(double seconds) {
    if (!(seconds < 1e8)) return "–";
    const auto whole = static_cast<long long>(std::llround(seconds));
    if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

namespace {
/// Fractions of the run that are done now and were done when this process began: of the simulated time, or of the steps
/// where those end it sooner.
struct Done {
    double now, at_start;
};

Done done_of(const Progress& p) {
    const Done by_time = p.time_max > 0 ? Done{p.now.time / p.time_max, p.start_time / p.time_max} : Done{0, 0};
    const auto steps = double(p.max_steps);
    const Done by_steps = p.max_steps > 0 ? Done{double(p.now.step) / steps, double(p.start_step) / steps} : Done{0, 0};
    const Done done = by_steps.now > by_time.now ? by_steps : by_time;
    return {std::min(1.0, done.now), done.at_start};
}
} // namespace

std::string progress_text(const Progress& p, double steps_per_second, int width) {
    const Done done = done_of(p);
    const double done_here = done.now - done.at_start; // a resumed run did the rest earlier
    const double left = done_here > 0 ? p.wall_seconds * (1 - done.now) / done_here : INFINITY;
    const std::string parts[] = {fmt::format("{:5.1f} %", 100 * done.now),
                                 fmt::format("  t = {:.4f} s", p.now.time),
                                 "  left " + format_duration(left),
                                 fmt::format("  {:.1f} steps/s", steps_per_second),
                                 fmt::format("  step {}", p.now.step),
                                 fmt::format("  {:.2f} M particle-steps/s", steps_per_second * p.now.particles * 1e-6),
                                 fmt::format("  dt = {:.2e} s", p.now.dt)};
    std::string line;
    for (const std::string& part : parts) {
        if (line.size() + part.size() > static_cast<std::size_t>(std::max(width, 8))) break;
        line += part;
    }
    return line;
}

bool ProgressLine::due(bool last) {
    // a batch log should neither be silent for long nor grow by a line a second: 2 s at first, later 30 s
    const double interval = terminal_ ? 0.2 : lines_ < 5 ? 2 : 30;
    const auto now = std::chrono::steady_clock::now();
    if (!last && std::chrono::duration<double>(now - last_).count() < interval) return false;
    last_ = now;
    return true;
}

void ProgressLine::show(const Progress& p) {
    if (!due(done_of(p).now >= 1)) return;
    if (lines_ == 0) last_step_ = p.start_step;
    if (p.wall_seconds > last_wall_) rate_ = double(p.now.step - last_step_) / (p.wall_seconds - last_wall_);
    last_step_ = p.now.step;
    last_wall_ = p.wall_seconds;
    if (terminal_) {
        // one column stays free: a full line makes some terminals wrap
        fmt::print(stderr, "\r\033[K{}", progress_text(p, rate_, static_cast<int>(columns_behind(STDERR_FILENO)) - 1));
        std::fflush(stderr);
    } else {
        constexpr int everything = 1000;
        spdlog::info("{}", progress_text(p, rate_, everything));
    }
    shown_ = true;
    ++lines_;
}

void ProgressLine::finish() {
    if (terminal_ && shown_) fmt::print(stderr, "\n");
}

} // namespace sluice

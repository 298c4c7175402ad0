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

ProgressFigures progress_figures(const Progress& p) {
    const Done done = done_of(p);
    const double done_here = done.now - done.at_start; // a resumed run did the rest earlier
    return {done.now, done_here > 0 ? p.wall_seconds * (1 - done.now) / done_here : INFINITY};
}

double RecentRate::look(const Progress& p) {
    if (!looked_) last_step_ = p.start_step;
    looked_ = true;
    if (p.wall_seconds > last_wall_) rate_ = double(p.now.step - last_step_) / (p.wall_seconds - last_wall_);
    last_step_ = p.now.step;
    last_wall_ = p.wall_seconds;
    return rate_;
}

std::string progress_text(const Progress& p, double steps_per_second, int width) {
    const auto [done, left] = progress_figures(p);
    const std::string parts[] = {fmt::format("{:5.1f} %", 100 * done),
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

std::string progress_json_line(const Progress& p, double steps_per_second) {
    const auto [done, left] = progress_figures(p);
    return fmt::format(R"({{"step": {}, "time": {}, "time_max": {}, "done": {:.6f}, "seconds_left": {}, )"
                       R"("wall_seconds": {:.3f}, "steps_per_second": {:.3f}, "particle_steps_per_second": {:.6g}, )"
                       R"("time_step": {}, "particles": {}}})",
                       p.now.step, p.now.time, p.time_max, done,
                       std::isfinite(left) ? fmt::format("{:.1f}", left) : "null", p.wall_seconds, steps_per_second,
                       steps_per_second * p.now.particles, p.now.dt, p.now.particles);
}

bool ProgressLine::due(bool last) {
    // a batch log should neither be silent for long nor grow by a line a second: 2 s at first, later 30 s
    const double interval = style_ == ProgressStyle::line   ? 0.2
                            : style_ == ProgressStyle::json ? 1
                            : lines_ < 5                    ? 2
                                                            : 30;
    const auto now = std::chrono::steady_clock::now();
    if (!last && std::chrono::duration<double>(now - last_).count() < interval) return false;
    last_ = now;
    return true;
}

void ProgressLine::show(const Progress& p) {
    if (!due(done_of(p).now >= 1)) return;
    const double rate = rate_.look(p);
    if (style_ == ProgressStyle::json) {
        fmt::print("{}\n", progress_json_line(p, rate));
        std::fflush(stdout);
    } else if (style_ == ProgressStyle::line) {
        // one column stays free: a full line makes some terminals wrap
        fmt::print(stderr, "\r\033[K{}", progress_text(p, rate, static_cast<int>(columns_behind(STDERR_FILENO)) - 1));
        std::fflush(stderr);
    } else {
        constexpr int everything = 1000;
        spdlog::info("{}", progress_text(p, rate, everything));
    }
    shown_ = true;
    ++lines_;
}

void ProgressLine::finish() {
    if (style_ == ProgressStyle::line && shown_) fmt::print(stderr, "\n");
}

} // namespace sluice

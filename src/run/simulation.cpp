// SPDX-License-Identifier: Apache-2.0
#include "run/simulation.h"

#include "core/error.h"
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace sluice {

namespace {
using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }
} // namespace

const char* run_end_name(RunEnd end) {
    switch (end) {
    case RunEnd::finished: return "finished";
    case RunEnd::step_limit: return "step_limit";
    case RunEnd::too_little_fluid: return "too_little_fluid";
    case RunEnd::interrupted: return "interrupted";
    }
    return "";
}

Simulation::Simulation(Backend& backend, const RunSetup& setup, const RunLimits& limits)
    : backend_(backend), setup_(setup), limits_(limits) {}

AdvanceLimits Simulation::next_limits() const {
    AdvanceLimits next;
    next.time = limits_.time_max;
    for (Sampler* sampler : samplers_) next.time = std::min(next.time, sampler->clock().next_time());
    next.steps = limits_.max_steps - now_.step;
    return next;
}

bool Simulation::ended(RunResult& result, const std::atomic<int>& stop) const {
    const std::uint32_t fluid = now_.particles - setup_.groups.boundary_count();
    if (now_.time >= limits_.time_max)
        result.end = RunEnd::finished;
    else if (stop.load() != 0)
        result.end = RunEnd::interrupted;
    else if (now_.step >= limits_.max_steps)
        result.end = RunEnd::step_limit;
    else if (fluid < limits_.min_fluid)
        result.end = RunEnd::too_little_fluid;
    else
        return false;
    return true;
}

bool Simulation::sample_due() {
    std::vector<Sampler*> due;
    for (Sampler* sampler : samplers_)
        if (sampler->clock().next_time() <= now_.time) due.push_back(sampler);
    if (!due.empty()) take_sample(due);
    return !due.empty();
}

void Simulation::sample_last() {
    std::vector<Sampler*> last;
    for (Sampler* sampler : samplers_)
        if (sampler->wants_last()) last.push_back(sampler);
    if (!last.empty()) take_sample(last);
}

void Simulation::take_sample(std::vector<Sampler*> samplers) {
    const auto begin = Clock::now();
    for (Sampler* sampler : samplers) sampler->clock().taken(now_.time);
    output_.hand_over(backend_.snapshot(), std::move(samplers));
    output_seconds_ += seconds_since(begin);
}

void Simulation::finish_samples() {
    const auto begin = Clock::now();
    output_.drain();
    output_seconds_ += seconds_since(begin);
}

void Simulation::report_excluded() {
    const std::vector<ExcludedParticle> excluded = backend_.take_excluded();
    if (excluded.empty()) return;
    if (on_excluded) on_excluded(excluded);
    for (const ExcludedParticle& p : excluded)
        if (p.cause == sph::ExclusionCause::not_finite)
            throw RunError(
                fmt::format("the run has blown up: the state of particle {} is not finite after step {} (t = {:g} s); "
                            "try a smaller cflnumber, a larger coefsound or more viscosity",
                            p.id, p.step, p.time));
}

RunResult Simulation::run(const std::atomic<int>& stop) {
    RunResult result;
    AdvanceLimits nowhere;
    nowhere.steps = 0;
    now_ = backend_.advance(nowhere);
    const AdvanceReport start = now_;
    double sampled = sample_due() ? now_.time : -1;
    while (!ended(result, stop)) {
        const AdvanceReport before = now_;
        const auto begin = Clock::now();
        now_ = backend_.advance(next_limits());
        result.loop_seconds += seconds_since(begin);
        result.particle_steps += double(now_.step - before.step) * now_.particles;
        report_excluded();
        output_.check();
        if (sample_due()) sampled = now_.time;
        if (on_progress)
            on_progress({now_, result.loop_seconds, result.particle_steps, start.time, limits_.time_max,
                         limits_.max_steps == std::numeric_limits<std::int64_t>::max() ? 0 : limits_.max_steps});
    }
    // an interrupted run leaves its last state to the checkpoint: a resumed run must not show an extra frame
    result.sampled_last = result.end != RunEnd::interrupted && now_.step > start.step && sampled != now_.time;
    if (result.sampled_last) sample_last();
    finish_samples();
    result.output_seconds = output_seconds_;
    result.last = now_;
    result.steps_taken = now_.step - start.step;
    result.simulated_seconds = now_.time - start.time;
    return result;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "run/simulation.h"
#include "run/way_out.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>

namespace sluice {

namespace {
using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// For a look at where the backend is.
AdvanceLimits no_steps() {
    AdvanceLimits limits;
    limits.steps = 0;
    return limits;
}
} // namespace

Simulation::Simulation(Backend& backend, RunSetup setup, const RunLimits& limits)
    : backend_(backend), setup_(std::move(setup)), limits_(limits), links_(setup_), output_([this](Frame& frame) {
          if (links_.any()) frame.links = links_.of(frame);
      }) {}

AdvanceLimits Simulation::next_limits() const {
    AdvanceLimits next;
    next.time = limits_.time_max;
    for (Sampler* sampler : samplers_) next.time = std::min(next.time, sampler->clock().next_time());
    next.steps = limits_.max_steps - now_.step;
    return next;
}

bool Simulation::ended(const std::atomic<int>& stop) {
    const std::uint32_t fluid = now_.particles - setup_.groups.boundary_count();
    if (broken_off_) {
        result_.end = broken_off_->outcome();
        result_.reason = broken_off_->what();
        if (result_.end == Outcome::left_domain && !setup_.bodies.empty())
            result_.reason += way_out(setup_, backend_.state());
    } else if (blown_up())
        result_.end = Outcome::blown_up;
    else if (fluid == 0 && setup_.groups.fluid_count() > 0 && !setup_.open.any())
        result_.end = Outcome::lost_fluid;
    else if (fluid < limits_.min_fluid)
        result_.end = Outcome::stopped;
    else if (now_.time >= limits_.time_max)
        result_.end = lost_by_density() ? Outcome::blown_up : Outcome::finished;
    else if (stop.load() != 0)
        result_.end = stop.load() == stop_for_time_limit ? Outcome::time_limit : Outcome::interrupted;
    else if (now_.step >= limits_.max_steps)
        result_.end = Outcome::step_limit;
    else
        return false;
    return true;
}

bool Simulation::blown_up() {
    const char* advice = "try a smaller cflnumber, a larger coefsound or more viscosity";
    if (not_finite_)
        result_.reason =
            fmt::format("the run has blown up: the state of particle {} is not finite after step {} (t = {:g} s); {}",
                        not_finite_->id, not_finite_->step, not_finite_->time, advice);
    else if (limits_.density_excluded > limits_.max_density_excluded)
        result_.reason = fmt::format("the run has blown up: the densities of {} fluid particles have left "
                                     "RhopOutMin…RhopOutMax by step {} (t = {:g} s); {}",
                                     limits_.density_excluded, now_.step, now_.time, advice);
    return !result_.reason.empty();
}

/// Whether so much fluid has left the bounds of its density on the way that the results are of no use.
bool Simulation::lost_by_density() {
    constexpr double bearable = 0.01, few = 10; // particles in spray count for little
    const auto fluid = static_cast<double>(setup_.groups.fluid_count());
    if (static_cast<double>(limits_.density_excluded) <= std::max(bearable * fluid, few)) return false;
    result_.reason = fmt::format("{} of {} fluid particles have left RhopOutMin…RhopOutMax on the way, more than a "
                                 "hundredth: the run was unstable; sluice check tells what its time step bears",
                                 limits_.density_excluded, setup_.groups.fluid_count());
    return true;
}

void Simulation::sample_due() {
    std::vector<Sampler*> due;
    for (Sampler* sampler : samplers_)
        if (sampler->clock().next_time() <= now_.time) due.push_back(sampler);
    if (!due.empty()) take_sample(due);
}

/// Those that want the last state, which is the present one, and have not seen it.
std::vector<Sampler*> Simulation::without_last() const {
    std::vector<Sampler*> samplers;
    for (Sampler* sampler : samplers_)
        if (sampler->wants_last() && !(seen_time_ == now_.time && std::ranges::count(seeing_, sampler) > 0))
            samplers.push_back(sampler);
    return samplers;
}

void Simulation::take_sample(std::vector<Sampler*> samplers) {
    const auto begin = Clock::now();
    FieldSelection wanted;
    for (Sampler* sampler : samplers) {
        sampler->clock().taken(now_.time);
        wanted = wanted | sampler->wanted_fields();
    }
    seeing_ = samplers;
    seen_time_ = now_.time;
    output_.hand_over(backend_.snapshot(wanted), std::move(samplers));
    output_seconds_ += seconds_since(begin);
}

void Simulation::finish_samples() {
    const auto begin = Clock::now();
    output_.drain();
    output_seconds_ += seconds_since(begin);
}

void Simulation::report_excluded() {
    const std::vector<ZonePassage> passed = backend_.take_passed();
    if (on_passed && !passed.empty()) on_passed(passed);
    const std::vector<ExcludedParticle> excluded = backend_.take_excluded();
    if (excluded.empty()) return;
    if (on_excluded) on_excluded(excluded);
    for (const ExcludedParticle& p : excluded) {
        if (p.cause == sph::ExclusionCause::density) ++limits_.density_excluded;
        if (p.cause == sph::ExclusionCause::not_finite && !not_finite_) not_finite_ = p;
    }
}

/// Lets the backend step. Where the fluid itself makes that impossible, or there has come too much of it, the run ends,
/// and all up to there is kept.
void Simulation::advance() {
    try {
        now_ = backend_.advance(next_limits());
    } catch (const RunError& error) {
        const Outcome end = error.outcome();
        if (end != Outcome::blown_up && end != Outcome::lost_fluid && end != Outcome::left_domain &&
            end != Outcome::out_of_memory)
            throw;
        broken_off_ = error;
    }
    if (!broken_off_) return;
    try {
        now_ = backend_.advance(no_steps());
    } catch (const RunError&) { // then the last look must do
    }
}

void Simulation::take_steps() {
    const AdvanceReport before = now_;
    const auto begin = Clock::now();
    advance();
    result_.loop_seconds += seconds_since(begin);
    result_.particle_steps += double(now_.step - before.step) * now_.particles;
    result_.last = now_;
    result_.steps_taken = now_.step - start_.step;
    result_.simulated_seconds = now_.time - start_.time;
}

const RunResult& Simulation::run(const std::atomic<int>& stop) {
    result_.last = start_ = now_ = backend_.advance(no_steps());
    sample_due();
    while (!ended(stop)) {
        take_steps();
        output_.check(); // the first failure is the one reported
        report_excluded();
        if (broken_off_) continue;
        sample_due();
        if (on_progress)
            on_progress({now_, result_.loop_seconds, result_.particle_steps, start_.time, start_.step, limits_.time_max,
                         limits_.max_steps == std::numeric_limits<std::int64_t>::max() ? 0 : limits_.max_steps});
    }
    // an interrupted run leaves its last state to the checkpoint: a resumed run must not show an extra frame
    const bool goes_on = outcome_info(result_.end).status == RunStatus::interrupted;
    if (!goes_on && !broken_off_ && (now_.step > start_.step || limits_.sample_start)) {
        std::vector<Sampler*> samplers = without_last();
        result_.sampled_last = !samplers.empty();
        if (result_.sampled_last) take_sample(std::move(samplers));
    }
    finish_samples();
    result_.output_seconds = output_seconds_;
    return result_;
}

} // namespace sluice

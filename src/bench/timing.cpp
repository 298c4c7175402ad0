// SPDX-License-Identifier: Apache-2.0
#include "bench/timing.h"

#include "bench/dam_break.h"
#include "core/error.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <new>
#include <numeric>
#include <set>

namespace sluice::bench {

namespace {

constexpr double enough = 1e18; // for limits that should not end a stretch

PhaseSeconds difference(const PhaseSeconds& a, const PhaseSeconds& b) {
    return {a.cell_list - b.cell_list, a.interaction - b.interaction, a.update - b.update, a.transfer - b.transfer};
}

/// What ranks have done between two looks at them; the particles as they are now.
std::vector<RankShare> difference(std::vector<RankShare> now, const std::vector<RankShare>& before) {
    for (std::size_t r = 0; r < std::min(now.size(), before.size()); ++r) {
        now[r].interaction -= before[r].interaction;
        now[r].exchange -= before[r].exchange;
    }
    return now;
}

void take_steps(Backend& backend, std::int64_t steps) { backend.advance({enough, steps, enough}); }

/// One sample: a fresh backend, warmed up, then timed.
struct Run {
    Sample sample;
    Cost cost;
    BackendInfo info;
    std::size_t memory = 0;
};

Run run_once(const Variant& variant, const DamBreak& dam, std::int64_t warm_up, std::int64_t steps) {
    Run run;
    const double begin = now();
    const std::unique_ptr<Backend> backend = variant.make(dam.setup, dam.particles());
    backend->set_state(dam.state);
    run.cost.set_up = now() - begin;
    take_steps(*backend, warm_up);
    const PhaseSeconds before = backend->phase_seconds();
    const std::vector<RankShare> ranks_before = backend->info().rank_shares;
    const double start = now();
    take_steps(*backend, steps);
    run.sample.wall_seconds = now() - start;
    run.sample.steps = steps;
    run.sample.phases = difference(backend->phase_seconds(), before);
    run.cost.step = run.sample.wall_seconds / double(steps);
    run.info = backend->info();
    run.sample.ranks = difference(run.info.rank_shares, ranks_before);
    run.memory = backend->memory_bytes();
    return run;
}

/// A size's versions that run, and what they cost.
struct Pilots {
    std::vector<Variant> variants;
    std::vector<Cost> costs;
    std::vector<Measurement> measurements;
};

Pilots pilot(const std::vector<Variant>& variants, const DamBreak& dam, ExperimentResult& result) {
    Pilots pilots;
    for (const Variant& variant : variants) {
        try {
            const Run run = run_once(variant, dam, 1, variant.gpu ? 10 : 1);
            Measurement m;
            m.variant = variant.name;
            m.particles = dam.particles();
            m.fluid = dam.particles() - dam.setup.groups.boundary_count();
            m.dp = dam.dp;
            m.backend = run.info;
            m.memory_bytes = run.memory;
            pilots.variants.push_back(variant);
            pilots.costs.push_back(run.cost);
            pilots.measurements.push_back(std::move(m));
        } catch (const RunError& error) {
            result.estimated.push_back(
                fmt::format("{} at {} particles was left out: {}.", variant.name, dam.particles(), error.what()));
        } catch (const std::bad_alloc&) {
            result.estimated.push_back(
                fmt::format("{} at {} particles was left out: not enough memory.", variant.name, dam.particles()));
        }
    }
    return pilots;
}

/// Samples of each version in a round: a version much faster than the slowest one takes more of the same steps, for
/// short samples scatter more.
std::vector<int> samples_in_a_round(const std::vector<Cost>& costs) {
    double slowest = 0;
    for (const Cost& cost : costs) slowest = std::max(slowest, cost.set_up + cost.step);
    std::vector<int> samples;
    for (const Cost& cost : costs)
        samples.push_back(std::clamp(static_cast<int>(0.25 * slowest / (cost.set_up + cost.step)), 1, 3));
    return samples;
}

std::vector<Cost> costs_of_a_round(std::vector<Cost> costs, const std::vector<int>& samples) {
    for (std::size_t n = 0; n < costs.size(); ++n)
        costs[n] = {samples[n] * costs[n].set_up, samples[n] * costs[n].step};
    return costs;
}

/// Where GPU versions are measured beside CPU versions: the cost of a step of the fastest, s; else 0.
double fastest_gpu_step(const Pilots& pilots) {
    double fastest = 0;
    bool cpu = false;
    for (std::size_t n = 0; n < pilots.variants.size(); ++n) {
        cpu = cpu || !pilots.variants[n].gpu;
        if (pilots.variants[n].gpu && (fastest == 0 || pilots.costs[n].step < fastest)) fastest = pilots.costs[n].step;
    }
    return cpu ? fastest : 0;
}

void measure_size(const std::vector<Variant>& variants, std::uint64_t size, double budget, const Plan& plan,
                  ExperimentResult& result) {
    const double start = now();
    const DamBreak dam = make_dam_break_of(size);
    Pilots pilots = pilot(variants, dam, result);
    if (pilots.variants.empty()) return;
    const bool gpu = std::any_of(variants.begin(), variants.end(), [](const Variant& v) { return v.gpu; });
    const std::vector<int> samples = samples_in_a_round(pilots.costs);
    StepPlan steps = plan_steps(costs_of_a_round(pilots.costs, samples), budget - (now() - start), gpu);
    if (steps.steps == 0) {
        result.estimated.push_back(fmt::format(
            "{} particles were left out: too many for the budget. A larger --budget reaches them.", dam.particles()));
        return;
    }
    if (const double step = fastest_gpu_step(pilots); step > 0) steps = lengthen_for_gpu(steps, step);
    plan.tell(fmt::format("  {} particles: {} versions, {} steps, {} times", dam.particles(), pilots.variants.size(),
                          steps.steps, steps.repeats));
    for (int repeat = 0; repeat < steps.repeats; ++repeat)
        for (std::size_t n = 0; n < pilots.variants.size(); ++n)
            for (int sample = 0; sample < samples[n]; ++sample) {
                const bool longer = pilots.variants[n].gpu && steps.gpu_steps > steps.steps;
                const std::int64_t warm_up = longer ? steps.gpu_warm_up : steps.warm_up;
                pilots.measurements[n].warm_up_steps = warm_up;
                const Run run = run_once(pilots.variants[n], dam, warm_up, longer ? steps.gpu_steps : steps.steps);
                pilots.measurements[n].backend = run.info; // as shared in the end
                pilots.measurements[n].samples.push_back(run.sample);
            }
    result.measurements.insert(result.measurements.end(), pilots.measurements.begin(), pilots.measurements.end());
}

/// "3" or "3 to 5": the fewest and the most of what `count` returns for the measurements that `chosen` lets pass.
template <class Chosen, class Count>
std::string range_of(const ExperimentResult& result, Chosen&& chosen, Count&& count) {
    std::set<std::int64_t> counts;
    for (const Measurement& m : result.measurements)
        if (chosen(m)) counts.insert(std::int64_t(count(m)));
    if (counts.size() == 1) return fmt::format("{}", *counts.begin());
    return counts.empty() ? "" : fmt::format("{} to {}", *counts.begin(), *counts.rbegin());
}

void describe(ExperimentResult& result) {
    if (result.measurements.empty()) return;
    const auto all = [](const Measurement&) { return true; };
    const auto on_gpu = [](const Measurement& m) { return m.backend.backend == "cuda"; };
    const auto on_cpu = [&](const Measurement& m) { return !on_gpu(m); };
    const auto steps = [](const Measurement& m) { return m.steps(); };
    const std::string cpu_steps = range_of(result, on_cpu, steps), gpu_steps = range_of(result, on_gpu, steps);
    double worst = 0;
    for (const Measurement& m : result.measurements)
        worst = std::max(worst, (m.slowest() - m.fastest()) / m.seconds_per_step());
    const bool same = cpu_steps.empty() || gpu_steps.empty() || cpu_steps == gpu_steps;
    result.measured.push_back(fmt::format(
        "Wall time of the stepping loop at the start of the dam break, without output: {}, {} samples each, versions "
        "taking turns, after warm-up. Numbers are medians; whiskers and the column 'spread' give the whole range, at "
        "worst {:.0f} % of the median.",
        same ? fmt::format("the same {} steps for every version of a size", range_of(result, all, steps))
             : fmt::format("the same {} steps for every CPU version of a size, and {} for every GPU version, for fewer "
                           "would measure how a GPU starts",
                           cpu_steps, gpu_steps),
        range_of(result, all, [](const Measurement& m) { return m.samples.size(); }), 100 * worst));
}

} // namespace

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

StepPlan plan_steps(const std::vector<Cost>& costs, double budget, bool gpu) {
    StepPlan plan;
    plan.warm_up = gpu ? 20 : 2;
    double set_up = 0, step = 0;
    for (const Cost& cost : costs) {
        set_up += cost.set_up;
        step += cost.step;
    }
    const auto round = [&](std::int64_t steps) { return set_up + step * double(plan.warm_up + steps); };
    for (const int repeats : {5, 3}) {
        plan.repeats = repeats;
        plan.steps = static_cast<std::int64_t>((budget / repeats - round(0)) / step);
        if (plan.steps >= (repeats == 5 ? 5 : 1)) {
            plan.steps = std::min<std::int64_t>(plan.steps, gpu ? 1000 : 100);
            return plan;
        }
    }
    plan.warm_up = 1;
    plan.repeats = 2;
    plan.steps = plan.repeats * round(1) < 3 * budget ? 1 : 0;
    return plan;
}

StepPlan lengthen_for_gpu(StepPlan plan, double step) {
    const auto tenth_of_a_second = static_cast<std::int64_t>(std::ceil(0.1 / step));
    plan.gpu_steps = std::max(plan.steps, std::min<std::int64_t>(tenth_of_a_second, 1000));
    plan.gpu_warm_up = std::max<std::int64_t>(plan.warm_up, 20);
    return plan;
}

void measure(const std::vector<Variant>& variants, const std::vector<std::uint64_t>& sizes, const Plan& plan,
             ExperimentResult& result) {
    const auto weight = [](std::uint64_t size) {
        return std::sqrt(double(size));
    }; // large sizes cost more a step and need fewer
    double weights = 0;
    for (const std::uint64_t size : sizes) weights += weight(size);
    double budget = plan.budget;
    for (const std::uint64_t size : sizes) {
        const double start = now();
        measure_size(variants, size, std::max(0.05 * plan.budget, budget * weight(size) / weights), plan, result);
        weights -= weight(size);
        budget -= now() - start; // what a size leaves over is for the next ones
    }
    describe(result);
}

std::vector<std::uint64_t> sizes_of(const Plan& plan, std::vector<std::uint64_t> usual) {
    std::vector<std::uint64_t> sizes = plan.sizes.empty() ? std::move(usual) : plan.sizes;
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

const Measurement* find(const ExperimentResult& result, const std::string& variant, std::uint32_t particles) {
    for (const Measurement& m : result.measurements)
        if (m.variant == variant && m.particles == particles) return &m;
    return nullptr;
}

std::vector<std::uint32_t> measured_sizes(const ExperimentResult& result) {
    std::set<std::uint32_t> sizes;
    for (const Measurement& m : result.measurements) sizes.insert(m.particles);
    return {sizes.begin(), sizes.end()};
}

} // namespace sluice::bench

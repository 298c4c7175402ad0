// SPDX-License-Identifier: Apache-2.0
#include "bench/experiment.h"
#include "bench/paper_numbers.h"
#include "bench/summaries.h"
#include "bench/timing.h"
#include "bench/variants.h"
#include "core/numbers.h"
#include "cpu/particles/processor.h"
#include <cmath>
#include <fmt/format.h>

namespace sluice::bench {

namespace {

/// Sizes that suit the budget: a short bench of large sizes would measure hardly anything.
std::vector<std::uint64_t> cpu_sizes(const Plan& plan) {
    if (plan.budget < 20) return sizes_of(plan, {10000, 30000});
    if (plan.budget < 60) return sizes_of(plan, {20000, 50000, 100000});
    return sizes_of(plan, {20000, 50000, 100000, 200000, 300000});
}

ChartSeries paper_point(const char* name, double particles, double value) {
    ChartSeries series;
    series.name = name;
    series.x = {particles};
    series.y = {value};
    series.dashed = true;
    return series;
}

void speedup_chart(ExperimentResult& result, const std::string& title, const std::string& base) {
    Chart chart = size_chart(title, "speed-up over " + base);
    for (const std::string& name : variants_of(result))
        if (name != base) chart.series.push_back(speedup_series(result, name, base));
    result.charts.push_back(std::move(chart));
    result.tables.push_back(timing_table(result, base));
}

std::string threads_name(int threads) { return threads == 1 ? single_core : fmt::format("{} threads", threads); }

ChartSeries thread_series(const ExperimentResult& result, std::uint32_t size, const std::string& base) {
    ChartSeries series;
    series.name = fmt::format("this machine, {} particles", short_number(size));
    for (const int threads : thread_counts()) {
        const Measurement *m = find(result, threads_name(threads), size), *reference = find(result, base, size);
        if (!m || !reference) continue;
        series.x.push_back(threads);
        series.y.push_back(reference->seconds_per_step() / m->seconds_per_step());
        series.low.push_back(reference->seconds_per_step() / m->slowest());
        series.high.push_back(reference->seconds_per_step() / m->fastest());
    }
    return series;
}

Chart thread_chart(const ExperimentResult& result) {
    Chart chart;
    chart.title = "Speed-up with threads";
    chart.x_label = "threads";
    chart.y_label = "speed-up over the single core";
    for (const std::uint32_t size : measured_sizes(result))
        chart.series.push_back(thread_series(result, size, single_core));
    ChartSeries paper;
    paper.name = "paper Table 4, 300 k (4 cores, 8 threads)";
    paper.dashed = true;
    for (const int threads : {1, 4, 8}) {
        paper.x.push_back(threads);
        paper.y.push_back(
            paper_number("cpu-threads", "speed-up over the single core", std::to_string(threads), 300000));
    }
    chart.series.push_back(std::move(paper));
    return chart;
}

} // namespace

ExperimentResult cpu_optimizations(const Plan& plan) {
    ExperimentResult result;
    measure(cpu_ladder(), cpu_sizes(plan), plan, result);
    speedup_chart(result, "Optimisations of one core", "basic");
    result.charts.front().log_y = true; // SIMD today is far above the rest
    result.charts.front().series.push_back(paper_point(
        "preprint, A+B+C", 300000,
        paper_number("cpu-optimizations", "speed-up over the basic single core", "symmetry, cells h/2, SSE", 300000)));
    result.measured.push_back(fmt::format("One thread. basic: every pair from both sides, cells of the interaction "
                                          "radius, no vector code. SIMD is {}, the widest here.",
                                          widest_simd()));
    return result;
}

ExperimentResult cpu_modes_experiment(const Plan& plan) {
    ExperimentResult result;
    std::vector<Variant> variants{best_single_core()};
    for (const CpuMode mode : {CpuMode::asymmetric, CpuMode::symmetric})
        variants.push_back(cpu_variant(std::string(mode_info(cpu_modes, mode).name), mode, CellSize::h, widest_simd(),
                                       default_threads()));
    for (const auto& [name, axis] : {std::pair{"slices X", SliceAxis::x}, std::pair{"slices Y", SliceAxis::y}})
        variants.push_back(cpu_variant(name, CpuMode::slices, CellSize::h, widest_simd(), default_threads(), axis));
    measure(variants, cpu_sizes(plan), plan, result);
    speedup_chart(result, fmt::format("Modes with {} threads", default_threads()), single_core);
    result.charts.front().series.push_back(
        paper_point("paper, Symmetric, 8 threads", 300000,
                    paper_number("cpu-modes", "speed-up over the best single core", "Symmetric, 8 threads", 300000)));
    result.measured.push_back(fmt::format("{} threads against the best single core (symmetry, half cells, {}). A run "
                                          "cuts its slices across the longest side of the "
                                          "domain, here X.",
                                          default_threads(), widest_simd()));
    return result;
}

ExperimentResult cpu_threads(const Plan& plan) {
    ExperimentResult result;
    std::vector<Variant> variants{cpu_variant("basic", CpuMode::asymmetric, CellSize::two_h, "off", 1)};
    for (const int threads : thread_counts())
        variants.push_back(cpu_variant(threads_name(threads), CpuMode::symmetric, CellSize::h, widest_simd(), threads));
    const std::vector<std::uint64_t> usual =
        plan.budget < 20 ? std::vector<std::uint64_t>{30000} : std::vector<std::uint64_t>{50000, 300000};
    measure(variants, sizes_of(plan, usual), plan, result);
    result.charts.push_back(thread_chart(result));
    Chart over_basic = size_chart("Over the basic single core", "speed-up over basic");
    for (const std::string& name : variants_of(result))
        if (name != "basic") over_basic.series.push_back(speedup_series(result, name, "basic"));
    over_basic.series.push_back(
        paper_point("preprint, 8 threads", 300000,
                    paper_number("cpu-threads", "speed-up over the basic single core", "8", 300000)));
    result.charts.push_back(std::move(over_basic));
    result.tables.push_back(timing_table(result, single_core));
    result.measured.push_back("Mode symmetric, half cells and the widest vector code at every number of threads; basic "
                              "is one thread without any of them.");
    return result;
}

ExperimentResult size_experiment(const Plan& plan) {
    ExperimentResult result;
    std::vector<Variant> variants{best_cpu()};
    std::vector<std::uint64_t> usual{50000, 200000, 1000000, 4000000};
    if (plan.budget < 20) usual = {10000, 30000, 100000};
    if (gpu_present(nullptr)) {
        variants.push_back(gpu_variant(GpuMode::neighbour_list));
        variants.push_back(gpu_variant(GpuMode::slow_full));
    }
    measure(variants, sizes_of(plan, usual), plan, result);
    Chart cost = size_chart("Cost of a particle-step", "nanoseconds per particle and step");
    Chart memory = size_chart("Memory of the run", "bytes per particle");
    for (const std::string& name : variants_of(result)) {
        cost.series.push_back(size_series(
            result, name, [](double seconds, const Measurement& m) { return 1e9 * seconds / m.particles; }));
        cost.series.push_back(
            size_series(result, name, [](double seconds, const Measurement& m) { return 1e9 * seconds / m.fluid; }));
        cost.series.back().name += ", per fluid particle";
        memory.series.push_back(size_series(
            result, name, [](double, const Measurement& m) { return double(m.memory_bytes) / m.particles; }));
    }
    cost.log_y = gpu_present(nullptr);
    result.charts.push_back(std::move(cost));
    result.charts.push_back(std::move(memory));
    result.tables.push_back(timing_table(result, variants.front().name));
    if (!result.measurements.empty()) {
        const Measurement &small = result.measurements.front(), &large = result.measurements.back();
        result.measured.push_back(
            fmt::format("Walls are {:.0f} % of the particles at {} and {:.0f} % at {}. A wall particle interacts with "
                        "fluid only, so the cost of a mean "
                        "particle grows with their number even where the cost of a pair does not.",
                        100 - 100.0 * small.fluid / small.particles, short_number(small.particles),
                        100 - 100.0 * large.fluid / large.particles, short_number(large.particles)));
    }
    result.measured.push_back(
        "Memory is what the backend holds for the run after its steps, on the host or on the device.");
    return result;
}

} // namespace sluice::bench

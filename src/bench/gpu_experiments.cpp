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
#include <limits>

namespace sluice::bench {

namespace {

std::vector<std::uint64_t> gpu_sizes(const Plan& plan) {
    if (plan.budget < 20) return sizes_of(plan, {30000, 100000});
    if (plan.budget < 60) return sizes_of(plan, {100000, 500000, 1000000});
    return sizes_of(plan, {100000, 300000, 1000000, 2000000, 4000000});
}

/// The paper's improvement over the full GPU without optimisations, for the steps that are its own ("B: …" to "F: …").
ChartSeries paper_improvements(const std::string& card, const std::vector<std::string>& steps) {
    ChartSeries series;
    series.name = "paper Table 5, " + card;
    series.dashed = true;
    for (const std::string& step : steps) {
        const std::string letter = step.substr(0, step.find(": ")); // the whole name where there is none
        series.y.push_back(
            paper_number("gpu-optimizations", "cumulative improvement over A, %", letter + ", " + card, 1e6));
    }
    return series;
}

/// Improvement of one version over another, %.
double improvement(const Measurement* before, const Measurement* after) {
    return before && after ? 100 * (before->seconds_per_step() / after->seconds_per_step() - 1)
                           : std::numeric_limits<double>::quiet_NaN();
}

/// `ladder`: the partial version, A, and what stands on them.
Chart ladder_chart(const ExperimentResult& result, const std::vector<Variant>& ladder) {
    Chart chart;
    chart.kind = ChartKind::bars;
    chart.title = "Cumulative improvement over the full GPU without optimisations (A)";
    chart.y_label = "improvement, %";
    for (std::size_t n = 2; n < ladder.size(); ++n) chart.categories.push_back(ladder[n].name);
    if (!measured_sizes(result).empty()) {
        const std::uint32_t size = measured_sizes(result).back();
        ChartSeries ours;
        ours.name = fmt::format("{}, {} particles", gpu_name(), short_number(size));
        const Measurement* full = find(result, ladder[1].name, size);
        for (const std::string& step : chart.categories) ours.y.push_back(improvement(full, find(result, step, size)));
        chart.series.push_back(std::move(ours));
    }
    chart.series.push_back(paper_improvements("GTX 480", chart.categories));
    chart.series.push_back(paper_improvements("Tesla 1060", chart.categories));
    return chart;
}

ResultTable ladder_table(const ExperimentResult& result, const std::vector<Variant>& ladder) {
    ResultTable table{"Each optimisation, and all up to it",
                      "measured, beside paper Table 5",
                      {"version", "particles", "over the one before, %", "over A, %", "GTX 480: over A, %",
                       "Tesla 1060: over A, %", "speed-up over " + ladder[0].name},
                      {}};
    const auto percent = [](double value) {
        return std::isfinite(value) ? fmt::format("{:+.1f}", value) : std::string("–");
    };
    const auto paper = [&](const std::string& card, const std::string& step) {
        return percent(paper_improvements(card, {step}).y.front());
    };
    for (const std::uint32_t size : measured_sizes(result))
        for (std::size_t n = 1; n < ladder.size(); ++n) {
            const std::string& name = ladder[n].name;
            const Measurement *m = find(result, name, size), *before = find(result, ladder[n - 1].name, size);
            const Measurement *partial = find(result, ladder[0].name, size), *full = find(result, ladder[1].name, size);
            if (!m) continue;
            table.rows.push_back(
                {name, std::to_string(size), percent(improvement(before, m)),
                 n > 1 ? percent(improvement(full, m)) : "–", paper("GTX 480", name), paper("Tesla 1060", name),
                 partial ? fmt::format("{:.2f} ×", partial->seconds_per_step() / m->seconds_per_step()) : "–"});
        }
    return table;
}

void add_paper_hours(Chart& chart, const std::string& version) {
    ChartSeries series;
    series.name = "paper, " + version;
    series.dashed = true;
    for (const PaperNumber& n : paper_numbers())
        if (std::string(n.experiment) == "versions" && n.version == version) {
            series.x.push_back(n.particles);
            series.y.push_back(3600 * n.value);
        }
    chart.series.push_back(std::move(series));
}

Chart runtime_chart(const ExperimentResult& result) {
    Chart chart = size_chart("Estimated runtime of the dam break to 1.5 s", "seconds");
    chart.log_y = true;
    for (const std::string& name : variants_of(result))
        chart.series.push_back(size_series(result, name, estimated_run_seconds));
    add_paper_hours(chart, "CPU single core");
    add_paper_hours(chart, "CPU 8 threads");
    add_paper_hours(chart, "GPU GTX 480");
    return chart;
}

std::vector<Variant> compared_versions() {
    std::vector<Variant> variants{best_single_core()};
    if (default_threads() > 1) variants.push_back(best_cpu());
    return variants;
}

} // namespace

ExperimentResult gpu_optimizations(const Plan& plan) {
    ExperimentResult result;
    std::vector<Variant> ladder = gpu_ladder();
    ladder.push_back(gpu_variant(GpuMode::fast_half));
    ladder.push_back(gpu_variant(GpuMode::neighbour_list));
    measure(ladder, gpu_sizes(plan), plan, result);
    const std::string& basic = ladder.front().name;
    Chart chart = size_chart("Optimisations of the GPU", "speed-up over " + basic);
    for (const std::string& name : variants_of(result))
        if (name != basic) chart.series.push_back(speedup_series(result, name, basic));
    result.charts.push_back(std::move(chart));
    result.charts.push_back(ladder_chart(result, ladder));
    result.tables.push_back(ladder_table(result, ladder));
    result.tables.push_back(timing_table(result, basic));
    result.measured.push_back(
        "Each version includes all optimisations before it. Up to F the kernels are the paper's: one thread a "
        "particle, which computes at each "
        "hit. FastCells(h/2) and NeighbourList go beyond the papers: cells searched with coarse positions, and lists "
        "kept over several steps. "
        "With the interaction alone on the GPU, cell list and update run on all threads of the CPU.");
    return result;
}

ExperimentResult gpu_stages(const Plan& plan) {
    ExperimentResult result;
    const std::vector<Variant> ladder = gpu_ladder();
    std::vector<Variant> variants{ladder[0], ladder[1], ladder.back(), gpu_variant(GpuMode::fast_half),
                                  gpu_variant(GpuMode::neighbour_list)};
    variants[0].name = "partial GPU";
    variants[1].name = "full GPU";
    variants[2].name = "optimised GPU";
    measure(variants, sizes_of(plan, {500000}), plan, result);
    ResultTable table{
        "Milliseconds of a step, by stage",
        "measured",
        {"version", "particles", "cell list NL", "interaction PI", "update SU", "transfers", "transfers, %", "wall"},
        {}};
    for (const std::uint32_t size : measured_sizes(result)) {
        Chart chart;
        chart.kind = ChartKind::stacked_bars;
        chart.title = fmt::format("Stages of a step, {} particles", short_number(size));
        chart.y_label = "milliseconds per step";
        chart.series.resize(4);
        const char* names[] = {"interaction (PI)", "cell list (NL)", "update (SU)", "transfers"};
        for (int n = 0; n < 4; ++n) chart.series[n].name = names[n];
        for (const std::string& name : variants_of(result)) {
            const Measurement* m = find(result, name, size);
            if (!m) continue;
            const PhaseSeconds p = m->phases_per_step();
            chart.categories.push_back(name);
            const double stages[] = {p.interaction, p.cell_list, p.update, p.transfer};
            for (int n = 0; n < 4; ++n) chart.series[n].y.push_back(1e3 * stages[n]);
            const double sum = p.interaction + p.cell_list + p.update + p.transfer;
            table.rows.push_back({name, std::to_string(size), fmt::format("{:.3f}", 1e3 * p.cell_list),
                                  fmt::format("{:.3f}", 1e3 * p.interaction), fmt::format("{:.3f}", 1e3 * p.update),
                                  fmt::format("{:.3f}", 1e3 * p.transfer),
                                  fmt::format("{:.1f}", sum > 0 ? 100 * p.transfer / sum : 0.0),
                                  fmt::format("{:.3f}", 1e3 * m->seconds_per_step())});
        }
        result.charts.push_back(std::move(chart));
    }
    result.tables.push_back(std::move(table));
    result.tables.push_back(timing_table(result, "full GPU"));
    result.measured.push_back("Partial: the interaction alone on the GPU, without optimisations. Full: everything on "
                              "the GPU, without optimisations (A). Optimised: "
                              "with the paper's A to F. Transfers are the copies of particles and rates in every step; "
                              "frames are not among them.");
    result.measured.push_back("Stages are timed by the backend; their sum can differ from the wall time where stages "
                              "overlap or are sampled.");
    return result;
}

ExperimentResult cpu_vs_gpu(const Plan& plan) {
    ExperimentResult result;
    std::vector<Variant> variants = compared_versions();
    variants.push_back(gpu_variant(GpuMode::fast_half));
    variants.push_back(gpu_variant(GpuMode::neighbour_list));
    measure(variants, sizes_of(plan, {503492, 1011354}), plan, result);
    for (const std::uint32_t size : measured_sizes(result)) {
        Chart chart;
        chart.kind = ChartKind::bars;
        chart.title = fmt::format("Steps per second, {} particles", short_number(size));
        chart.y_label = "steps per second";
        chart.log_y = true;
        const double paper_size = size < 750000 ? 503492 : 1011354;
        ChartSeries ours{"this machine, " + gpu_name(), {}, {}, {}, {}, false, false, -1};
        ChartSeries theirs{fmt::format("paper Table 6, {}", short_number(paper_size)), {}, {}, {}, {}, true, false, -1};
        for (const std::string& name : variants_of(result)) {
            const Measurement* m = find(result, name, size);
            chart.categories.push_back(name);
            ours.y.push_back(m ? m->steps_per_second() : std::numeric_limits<double>::quiet_NaN());
            theirs.y.push_back(std::numeric_limits<double>::quiet_NaN());
        }
        for (const char* version : {"CPU single core", "CPU 8 threads", "GPU Tesla 1060", "GPU GTX 480"}) {
            chart.categories.emplace_back(version);
            ours.y.push_back(std::numeric_limits<double>::quiet_NaN());
            theirs.y.push_back(paper_number("cpu-vs-gpu", "steps per second", version, paper_size));
        }
        chart.series = {ours, theirs};
        result.charts.push_back(std::move(chart));
    }
    result.tables.push_back(timing_table(result, single_core));
    ResultTable hours{"Estimated runtime to 1.5 s",
                      "estimated",
                      {"version", "particles", "hours", "speed-up over all CPU threads"},
                      {}};
    for (const Measurement& m : result.measurements) {
        const Measurement* cpu = find(result, best_cpu().name, m.particles);
        hours.rows.push_back({m.variant, std::to_string(m.particles),
                              short_number(estimated_run_seconds(m.seconds_per_step(), m) / 3600),
                              cpu ? fmt::format("{:.2f} ×", cpu->seconds_per_step() / m.seconds_per_step()) : "–"});
    }
    result.tables.push_back(std::move(hours));
    result.estimated.push_back(run_estimate_note);
    return result;
}

ExperimentResult versions(const Plan& plan) {
    ExperimentResult result;
    std::vector<Variant> variants = compared_versions();
    std::string why;
    if (gpu_present(&why)) {
        for (const auto& mode : gpu_modes) variants.push_back(gpu_variant(mode.mode));
    } else {
        result.estimated.push_back("GPU versions need a GPU: " + why + ".");
    }
    std::vector<std::uint64_t> usual{50000, 200000, 500000, 1000000};
    if (plan.budget < 20)
        usual = {10000, 30000};
    else if (plan.budget < 60)
        usual = {20000, 100000, 300000};
    measure(variants, sizes_of(plan, usual), plan, result);
    result.charts.push_back(runtime_chart(result));
    result.tables.push_back(timing_table(result, single_core));
    result.estimated.push_back(run_estimate_note);
    return result;
}

} // namespace sluice::bench

// SPDX-License-Identifier: Apache-2.0
#include "bench/experiment.h"
#include "bench/paper_numbers.h"
#include "bench/summaries.h"
#include "bench/timing.h"
#include "bench/variants.h"
#include <fmt/format.h>
#include <limits>

namespace sluice::bench {

namespace {

constexpr const char* single_core = "single core";

std::vector<std::uint64_t> gpu_sizes(const Plan& plan) {
    if (plan.budget < 20) return sizes_of(plan, {30000, 100000});
    if (plan.budget < 60) return sizes_of(plan, {100000, 500000, 1000000});
    return sizes_of(plan, {100000, 300000, 1000000, 2000000, 4000000});
}

/// The paper's improvement over the full GPU without optimisations, by letter of the optimisation.
ChartSeries paper_ladder(const std::string& card, const std::vector<std::string>& steps) {
    ChartSeries series;
    series.name = "paper Table 5, " + card;
    series.dashed = true;
    for (const std::string& step : steps) series.y.push_back(paper_number("gpu-optimizations", "cumulative improvement over A, %", step.substr(0, 1) + ", " + card, 1e6));
    return series;
}

Chart ladder_chart(const ExperimentResult& result, const std::vector<Variant>& ladder) {
    Chart chart;
    chart.kind = ChartKind::bars;
    chart.title = "Cumulative improvement over the first rung";
    chart.y_label = "improvement, %";
    std::vector<std::string> steps;
    for (std::size_t n = 1; n < ladder.size(); ++n) steps.push_back(ladder[n].name);
    chart.categories = steps;
    if (!measured_sizes(result).empty()) {
        const std::uint32_t size = measured_sizes(result).back();
        ChartSeries ours;
        ours.name = fmt::format("{}, {} particles", gpu_name(), short_number(size));
        const Measurement* full = find(result, ladder[0].name, size);
        for (const std::string& step : steps) {
            const Measurement* m = find(result, step, size);
            ours.y.push_back(full && m ? 100 * (full->seconds_per_step() / m->seconds_per_step() - 1) : std::numeric_limits<double>::quiet_NaN());
        }
        chart.series.push_back(std::move(ours));
    }
    chart.series.push_back(paper_ladder("GTX 480", steps));
    chart.series.push_back(paper_ladder("Tesla 1060", steps));
    return chart;
}

ResultTable ladder_table(const ExperimentResult& result, const std::vector<Variant>& ladder) {
    ResultTable table{"Each optimisation, and all up to it", "measured", {"version", "particles", "optimisation, %", "cumulative, %", "speed-up"}, {}};
    for (const std::uint32_t size : measured_sizes(result))
        for (std::size_t n = 1; n < ladder.size(); ++n) {
            const Measurement *m = find(result, ladder[n].name, size), *before = find(result, ladder[n - 1].name, size);
            const Measurement* basic = find(result, ladder[0].name, size);
            if (!m || !before || !basic) continue;
            const double cost = m->seconds_per_step();
            table.rows.push_back({ladder[n].name, std::to_string(size), fmt::format("{:+.1f}", 100 * (before->seconds_per_step() / cost - 1)),
                                  fmt::format("{:+.1f}", 100 * (basic->seconds_per_step() / cost - 1)), fmt::format("{:.2f} ×", basic->seconds_per_step() / cost)});
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
    for (const std::string& name : variants_of(result)) chart.series.push_back(size_series(result, name, estimated_run_seconds));
    add_paper_hours(chart, "CPU single core");
    add_paper_hours(chart, "CPU 8 threads");
    add_paper_hours(chart, "GPU GTX 480");
    return chart;
}

std::vector<Variant> compared_versions() {
    std::vector<Variant> variants{best_single_core()};
    if (hardware_threads() > 1) variants.push_back(best_cpu());
    return variants;
}

} // namespace

ExperimentResult gpu_optimizations(const Plan& plan) {
    ExperimentResult result;
    const std::vector<Variant> ladder = gpu_ladder();
    std::vector<Variant> variants = ladder;
    variants.push_back(gpu_variant(GpuMode::neighbour_list));
    measure(variants, gpu_sizes(plan), plan, result);
    const std::string& basic = ladder.front().name;
    Chart chart = size_chart("Optimisations of the GPU", "speed-up over basic");
    for (const std::string& name : variants_of(result))
        if (name != basic) chart.series.push_back(speedup_series(result, name, basic));
    result.charts.push_back(std::move(chart));
    result.charts.push_back(ladder_chart(result, ladder));
    result.tables.push_back(ladder_table(result, ladder));
    result.tables.push_back(timing_table(result, basic));
    result.measured.push_back("Each version includes all optimisations before it. The full GPU (A), packed arrays (C) and separate kernels (E) are "
                              "always on here: there is no version without them. Half cells come before stored ranges. NeighbourList is not in the papers: lists kept over several steps.");
    return result;
}

ExperimentResult gpu_stages(const Plan& plan) {
    ExperimentResult result;
    std::vector<Variant> variants{gpu_ladder().front(), gpu_variant(GpuMode::fast_half), gpu_variant(GpuMode::neighbour_list)};
    variants[0].name = "full GPU";
    variants[1].name = "optimised GPU";
    measure(variants, sizes_of(plan, {500000}), plan, result);
    ResultTable table{"Milliseconds of a step, by stage", "measured", {"version", "particles", "cell list NL", "interaction PI", "update SU", "transfers", "transfers, %", "wall"}, {}};
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
            table.rows.push_back({name, std::to_string(size), fmt::format("{:.3f}", 1e3 * p.cell_list), fmt::format("{:.3f}", 1e3 * p.interaction),
                                  fmt::format("{:.3f}", 1e3 * p.update), fmt::format("{:.3f}", 1e3 * p.transfer),
                                  fmt::format("{:.1f}", sum > 0 ? 100 * p.transfer / sum : 0.0), fmt::format("{:.3f}", 1e3 * m->seconds_per_step())});
        }
        result.charts.push_back(std::move(chart));
    }
    result.tables.push_back(std::move(table));
    result.tables.push_back(timing_table(result, "full GPU"));
    result.measured.push_back("Stages are timed by the backend; their sum can differ from the wall time where stages overlap or are sampled.");
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
    ResultTable hours{"Estimated runtime to 1.5 s", "estimated", {"version", "particles", "hours", "speed-up over all CPU threads"}, {}};
    for (const Measurement& m : result.measurements) {
        const Measurement* cpu = find(result, best_cpu().name, m.particles);
        hours.rows.push_back({m.variant, std::to_string(m.particles), short_number(estimated_run_seconds(m.seconds_per_step(), m) / 3600),
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
    if (plan.budget < 20) usual = {10000, 30000};
    else if (plan.budget < 60) usual = {20000, 100000, 300000};
    measure(variants, sizes_of(plan, usual), plan, result);
    result.charts.push_back(runtime_chart(result));
    result.tables.push_back(timing_table(result, single_core));
    result.estimated.push_back(run_estimate_note);
    return result;
}

} // namespace sluice::bench

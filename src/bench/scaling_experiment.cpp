// SPDX-License-Identifier: Apache-2.0
#include "bench/experiment.h"
#include "bench/paper_numbers.h"
#include "bench/scaling_prediction.h"
#include "bench/summaries.h"
#include "bench/timing.h"
#include "bench/variants.h"
#include "core/numbers.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace sluice::bench {

namespace {

/// A version whose run so many share.
struct Sharers {
    Variant variant;
    int count = 1;
    bool overlap = true; ///< GPUs: interactions begin while halos are on their way
};

/// What was measured of one kind of sharers: ranks of the processor, or GPUs.
struct Part {
    std::string kind; ///< "ranks", "GPUs"
    std::vector<Sharers> sharers;
    ExperimentResult found;
};

std::string ranks_name(int ranks) { return counted(ranks, "rank") + " of 1 thread"; }
std::string threads_name(int threads) { return "1 rank of " + counted(threads, "thread"); }

/// Each base size, and as many times it as there are sharers: weak scaling is found among sizes for strong scaling.
std::vector<std::uint64_t> multiples(const std::vector<std::uint64_t>& bases, const std::vector<Sharers>& sharers) {
    std::set<std::uint64_t> sizes;
    for (const std::uint64_t base : bases)
        for (const Sharers& s : sharers) sizes.insert(base * std::uint64_t(s.count));
    return {sizes.begin(), sizes.end()};
}

Part measure_ranks(const Plan& plan) {
    Part part;
    part.kind = "ranks";
    for (const int n : thread_counts()) part.sharers.push_back({rank_variant(ranks_name(n), n, 1), n});
    std::vector<Variant> variants;
    for (const Sharers& s : part.sharers) {
        variants.push_back(s.variant);
        if (s.count > 1) variants.push_back(rank_variant(threads_name(s.count), 1, s.count));
    }
    const std::uint64_t base = plan.budget < 20 ? 10000 : plan.budget < 60 ? 40000 : 85500;
    measure(variants, sizes_of(plan, multiples({base}, part.sharers)), plan, part.found);
    return part;
}

Part measure_gpus(const Plan& plan) {
    Part part;
    part.kind = "GPUs";
    std::vector<Variant> variants;
    for (int n = 1; n <= gpu_count(); ++n)
        for (const bool overlap : {true, false}) {
            if (n == 1 && !overlap) continue;
            const std::string name = counted(n, "GPU") + (overlap ? "" : ", no overlap");
            part.sharers.push_back({shared_gpu_variant(name, n, overlap), n, overlap});
            variants.push_back(part.sharers.back().variant);
        }
    std::vector<std::uint64_t> bases{250000, 1000000, 4000000, 8000000};
    if (plan.budget < 20)
        bases = {100000};
    else if (plan.budget < 60)
        bases = {250000, 1000000, 2000000};
    measure(variants, sizes_of(plan, multiples(bases, part.sharers)), plan, part.found);
    return part;
}

double mipps(const Measurement& m) { return 1e-6 * m.particle_steps_per_second(); }

/// Time of one over that of the other, the median of what samples taken in turns say; where one has more samples in
/// each turn, of their medians.
double paired_ratio(const Measurement& over, const Measurement& m) {
    if (over.samples.size() != m.samples.size()) return over.seconds_per_step() / m.seconds_per_step();
    std::vector<double> ratios;
    for (std::size_t n = 0; n < m.samples.size(); ++n) {
        const Sample &a = over.samples[n], &b = m.samples[n];
        ratios.push_back(a.wall_seconds / double(a.steps) / (b.wall_seconds / double(b.steps)));
    }
    return median(std::move(ratios));
}

std::string percent_or_dash(double part) {
    return std::isfinite(part) ? fmt::format("{:.1f}", 100 * part) : std::string("–");
}

ResultTable strong_table(const Part& part) {
    const bool ranks = part.kind == "ranks";
    ResultTable table{fmt::format("Strong scaling of {}: the same particles", part.kind),
                      "measured",
                      {"version", "particles", "ms/step", "spread, %", "MIPPS", "speed-up", "efficiency, %", "balance",
                       "exposed communication, %"},
                      {}};
    if (ranks) table.columns.emplace_back("over one rank of as many threads");
    for (const std::uint32_t size : measured_sizes(part.found)) {
        const Measurement* one = find(part.found, part.sharers.front().variant.name, size);
        for (const Sharers& s : part.sharers) {
            const Measurement* m = find(part.found, s.variant.name, size);
            if (!m || !one) continue;
            const double speed_up = paired_ratio(*one, *m);
            table.rows.push_back({s.variant.name, std::to_string(size),
                                  fmt::format("{:.4g}", 1e3 * m->seconds_per_step()),
                                  fmt::format("{:.1f}", 100 * (m->slowest() - m->fastest()) / m->seconds_per_step()),
                                  fmt::format("{:.4g}", mipps(*m)), fmt::format("{:.2f} ×", speed_up),
                                  fmt::format("{:.1f}", 100 * speed_up / s.count), fmt::format("{:.3f}", m->balance()),
                                  s.count == 1 ? "–" : percent_or_dash(m->exposed_communication())});
            const Measurement* threads = find(part.found, threads_name(s.count), size);
            if (ranks) table.rows.back().push_back(threads ? fmt::format("{:.3f}", paired_ratio(*threads, *m)) : "–");
        }
    }
    return table;
}

/// A measurement of weak scaling: as many particles for each sharer as one has.
struct WeakPoint {
    const Sharers* sharers;
    const Measurement *one, *all;
    double efficiency() const { return mipps(*all) / (sharers->count * mipps(*one)); }
};

/// Those whose one has so many particles; none if there is no second.
std::vector<WeakPoint> weak_points(const Part& part, std::uint32_t size) {
    std::vector<WeakPoint> points;
    const Measurement* one = find(part.found, part.sharers.front().variant.name, size);
    for (const Sharers& s : part.sharers)
        for (const std::uint32_t larger : measured_sizes(part.found))
            if (one && std::abs(larger / (double(size) * s.count) - 1) < 0.04)
                if (const Measurement* all = find(part.found, s.variant.name, larger)) points.push_back({&s, one, all});
    return points.size() > 1 ? points : std::vector<WeakPoint>();
}

ResultTable weak_table(const Part& part) {
    ResultTable table{fmt::format("Weak scaling of {}: as many particles for each", part.kind),
                      "measured",
                      {"version", "particles", "particles each", "ms/step", "MIPPS", "efficiency, %"},
                      {}};
    for (const std::uint32_t size : measured_sizes(part.found))
        for (const WeakPoint& p : weak_points(part, size))
            table.rows.push_back({p.sharers->variant.name, std::to_string(p.all->particles),
                                  std::to_string(p.all->particles / std::uint32_t(p.sharers->count)),
                                  fmt::format("{:.4g}", 1e3 * p.all->seconds_per_step()),
                                  fmt::format("{:.4g}", mipps(*p.all)), fmt::format("{:.1f}", 100 * p.efficiency())});
    return table;
}

Chart sharers_chart(const std::string& title, const std::string& y_label) {
    Chart chart;
    chart.title = title;
    chart.x_label = "ranks or GPUs";
    chart.y_label = y_label;
    return chart;
}

void add_strong_series(Chart& chart, const Part& part) {
    for (const std::uint32_t size : measured_sizes(part.found)) {
        ChartSeries series;
        series.name = fmt::format("{}, {}", part.kind, short_number(size));
        const Measurement* one = find(part.found, part.sharers.front().variant.name, size);
        for (const Sharers& s : part.sharers)
            if (const Measurement* m = find(part.found, s.variant.name, size); m && one && s.overlap) {
                series.x.push_back(s.count);
                series.y.push_back(paired_ratio(*one, *m));
            }
        chart.series.push_back(std::move(series));
    }
}

void add_weak_series(Chart& chart, const Part& part) {
    for (const std::uint32_t size : measured_sizes(part.found)) {
        ChartSeries series;
        series.name = fmt::format("{}, {} each", part.kind, short_number(size));
        for (const WeakPoint& p : weak_points(part, size)) {
            if (!p.sharers->overlap) continue;
            series.x.push_back(p.sharers->count);
            series.y.push_back(p.efficiency());
        }
        if (!series.x.empty()) chart.series.push_back(std::move(series));
    }
}

/// The paper's numbers on one to six GPUs.
ChartSeries paper_series(const std::string& name, const std::string& quantity, double particles_a_gpu) {
    ChartSeries series;
    series.name = name;
    series.dashed = true;
    for (int gpus = 1; gpus <= 6; ++gpus) {
        series.x.push_back(gpus);
        series.y.push_back(paper_number("scaling", quantity, fmt::format("{} GTX 480", gpus), particles_a_gpu * gpus));
    }
    return series;
}

void add_charts(ExperimentResult& result, const std::vector<Part>& parts) {
    Chart strong = sharers_chart("Strong scaling: the same particles", "speed-up over one");
    Chart weak = sharers_chart("Weak scaling: as many particles for each", "efficiency");
    for (const Part& part : parts) {
        add_strong_series(strong, part);
        add_weak_series(weak, part);
    }
    strong.series.push_back(paper_series("Rustico et al. Table I", "strong, speed-up with overlap", 0));
    weak.series.push_back(paper_series("Rustico et al. Table II", "weak, efficiency", 1.6e6));
    ChartSeries ideal;
    ideal.name = "ideal";
    ideal.dashed = true;
    ideal.x = ideal.y = {1, 6};
    strong.series.push_back(std::move(ideal));
    result.charts.push_back(std::move(strong));
    result.charts.push_back(std::move(weak));
}

/// Costs for predictions: of this machine's GPUs, if it has any.
KnownCosts known_costs(const std::vector<Part>& parts, const SimulatedMachine& machine) {
    std::vector<StepCost::Point> one_gpu;
    std::vector<SharedStep> shared;
    double bytes = 0;
    for (const Part& part : parts) {
        if (part.kind != "GPUs") continue;
        for (const Sharers& s : part.sharers)
            for (const Measurement& m : part.found.measurements) {
                if (m.variant != s.variant.name) continue;
                if (s.count > 1 && s.count <= machine.gpus_a_node)
                    shared.push_back({double(m.particles), s.count, m.seconds_per_step(), s.overlap});
                if (s.count > 1) continue;
                one_gpu.push_back({double(m.particles), m.seconds_per_step()});
                bytes = double(m.memory_bytes) / m.particles; // of the largest
            }
    }
    if (one_gpu.empty()) return lab_book_costs(machine);
    return costs_of_this_machine(gpu_name(), std::move(one_gpu), shared, bytes, machine);
}

} // namespace

ExperimentResult scaling(const Plan& plan) {
    ExperimentResult result;
    std::vector<Part> parts;
    Plan half = plan;
    if (gpu_present(nullptr)) {
        half.budget = plan.budget / 2;
        parts.push_back(measure_gpus(half));
    }
    parts.push_back(measure_ranks(half));
    add_charts(result, parts);
    for (Part& part : parts) {
        result.tables.push_back(strong_table(part));
        if (ResultTable weak = weak_table(part); !weak.rows.empty()) result.tables.push_back(std::move(weak));
        for (const std::string& words : part.found.measured)
            result.measured.push_back(fmt::format("{}: {}", part.kind, words));
        for (const std::string& words : part.found.estimated)
            result.estimated.push_back(fmt::format("{}: {}", part.kind, words));
    }
    add_prediction(result, known_costs(parts, plan.machine), plan.machine);
    for (const Part& part : parts)
        result.measurements.insert(result.measurements.end(), part.found.measurements.begin(),
                                   part.found.measurements.end());
    result.measured.push_back(
        "MIPPS: million iterations of particles per second, all particles times steps over the time, as in the paper. "
        "Speed-ups are medians of pairs of samples taken one after the other. Balance: the largest over the mean time "
        "of the interactions of ranks, or number of fluid particles of GPUs, which are shared by time. Exposed "
        "communication of ranks: the time in messages and waiting for others, uneven work among it, in a step.");
    if (!gpu_present(nullptr))
        result.estimated.push_back("There is no GPU here: the predictions' costs are another's.");
    return result;
}

} // namespace sluice::bench

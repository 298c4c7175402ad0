// SPDX-License-Identifier: Apache-2.0
#include "bench/scaling_prediction.h"

#include "backend/gpu_memory_plan.h"
#include "core/numbers.h"
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sluice::bench {

namespace {

constexpr int most_gpus = 4096;
constexpr double strong_sizes[] = {14.6e6, 100e6, 1e9};
constexpr double weak_sizes[] = {1e6, 14.6e6};

/// A run on so many GPUs, with and without overlap.
struct Both {
    StepPrediction plain, overlap;
};

class Predictor {
public:
    Predictor(const ScalingCosts& its_costs, const SimulatedMachine& its_machine)
        : costs(its_costs), machine(its_machine) {}

    Both both(double particles, int gpus, Cut cut) const {
        return {predict_step(costs, machine, particles, gpus, cut, false),
                predict_step(costs, machine, particles, gpus, cut, true)};
    }
    double strong(double particles, int gpus, Cut cut, bool overlap) const {
        return strong_efficiency(costs, particles, gpus, predict_step(costs, machine, particles, gpus, cut, overlap));
    }
    double weak(double a_gpu, int gpus, Cut cut, bool overlap) const {
        return weak_efficiency(costs, a_gpu, predict_step(costs, machine, a_gpu * gpus, gpus, cut, overlap));
    }
    bool fits(double particles, int gpus) const {
        return particles / gpus * costs.particle_bytes <= machine.gpu_memory;
    }
    /// Powers of two up to a node, then nodes twice as many each time.
    std::vector<int> counts() const {
        std::vector<int> list;
        for (int n = 1; n < machine.gpus_a_node; n *= 2) list.push_back(n);
        for (int n = machine.gpus_a_node; n <= most_gpus; n *= 2) list.push_back(n);
        return list;
    }
    /// Those for tables: one, two, a node, and nodes eight times as many each time.
    std::vector<int> few_counts() const {
        std::vector<int> list;
        for (int n = 1; n <= std::min(2, machine.gpus_a_node - 1); ++n) list.push_back(n);
        for (int n = machine.gpus_a_node; n <= most_gpus; n *= 8) list.push_back(n);
        return list;
    }

    const ScalingCosts& costs;
    const SimulatedMachine& machine;
};

std::string percent(double part) { return fmt::format("{:.1f}", 100 * part); }
std::string milliseconds(double seconds) { return fmt::format("{:.4g}", 1e3 * seconds); }
std::string grid_text(const ShareGrid& g) { return fmt::format("{} × {} × {}", g.along(0), g.along(1), g.along(2)); }
/// More than ids of 32 bits can number is marked.
std::string particles_text(double particles) { return short_number(particles) + (particles > most_ids ? " *" : ""); }

ResultTable check_table(const KnownCosts& known, const SimulatedMachine& machine) {
    ResultTable table{"The model beside what several GPUs were measured to take",
                      "calculated, beside measured: " + known.costs.source,
                      {"particles", "GPUs", "overlap", "measured, ms/step", "model, ms/step", "off, %"},
                      {}};
    for (const SharedStep& s : known.shared) {
        const double step = predict_step(known.costs, machine, s.particles, s.gpus, Cut::layers, s.overlap).step();
        table.rows.push_back({short_number(s.particles), std::to_string(s.gpus), s.overlap ? "yes" : "no",
                              milliseconds(s.seconds), milliseconds(step),
                              fmt::format("{:+.1f}", 100 * (step / s.seconds - 1))});
    }
    return table;
}

/// One row: columns that strong and weak scaling have in common. `efficiency`: of a prediction.
template <class Efficiency>
std::vector<std::string> row_of(const Predictor& p, double particles, int gpus, const Efficiency& efficiency) {
    const Both three = p.both(particles, gpus, Cut::three_axes), layers = p.both(particles, gpus, Cut::layers);
    const auto exposed = [](const StepPrediction& s) { return percent(s.exposed / s.step()); };
    return {particles_text(particles),
            std::to_string(gpus),
            grid_text(three.plain.grid),
            milliseconds(three.plain.step()),
            milliseconds(three.overlap.step()),
            short_number(1e-6 * particles / three.overlap.step()),
            percent(efficiency(three.plain)),
            percent(efficiency(three.overlap)),
            exposed(three.plain),
            exposed(three.overlap),
            percent(efficiency(layers.plain)),
            percent(efficiency(layers.overlap))};
}

ResultTable table_of(const std::string& caption, const Predictor& p) {
    return {caption,
            fmt::format("calculated for {} from {}", p.machine.name, p.costs.source),
            {"particles", "GPUs", "shares", "ms/step", "… with overlap", "MIPPS with overlap", "efficiency, %",
             "… with overlap", "exposed communication, %", "… with overlap", "layers: efficiency, %", "… with overlap"},
            {}};
}

ResultTable strong_table(const Predictor& p) {
    ResultTable table = table_of("Strong scaling: as many particles on more GPUs", p);
    for (const double particles : strong_sizes)
        for (const int gpus : p.few_counts())
            if (p.fits(particles, gpus))
                table.rows.push_back(row_of(p, particles, gpus, [&](const StepPrediction& s) {
                    return strong_efficiency(p.costs, particles, gpus, s);
                }));
    return table;
}

ResultTable weak_table(const Predictor& p) {
    ResultTable table = table_of("Weak scaling: as many particles on each of more GPUs", p);
    for (const double a_gpu : weak_sizes)
        for (const int gpus : p.few_counts())
            if (p.fits(a_gpu, 1))
                table.rows.push_back(row_of(p, a_gpu * gpus, gpus, [&](const StepPrediction& s) {
                    return weak_efficiency(p.costs, a_gpu, s);
                }));
    return table;
}

/// The machines that are known by name, on numbers of GPUs that fill nodes of all of them.
ResultTable machines_table(const ScalingCosts& costs) {
    ResultTable table{"Other machines, cut across x, y and z",
                      "calculated from " + costs.source,
                      {"machine", "GPUs", "strong, 100 M: efficiency, %", "… with overlap",
                       "weak, 14.6 M a GPU: efficiency, %", "… with overlap"},
                      {}};
    for (const SimulatedMachine& machine : simulated_machines()) {
        const Predictor p(costs, machine);
        for (const int gpus : {64, 512, 4096})
            table.rows.push_back({machine.name, std::to_string(gpus),
                                  percent(p.strong(100e6, gpus, Cut::three_axes, false)),
                                  percent(p.strong(100e6, gpus, Cut::three_axes, true)),
                                  percent(p.weak(14.6e6, gpus, Cut::three_axes, false)),
                                  percent(p.weak(14.6e6, gpus, Cut::three_axes, true))});
    }
    return table;
}

Chart gpus_chart(const std::string& title, const std::string& y_label) {
    Chart chart;
    chart.title = title;
    chart.x_label = "GPUs";
    chart.y_label = y_label;
    chart.log_x = true;
    return chart;
}

/// `value(gpus, overlap)` twice: with overlap, and dashed without.
template <class Value>
void add_lines(Chart& chart, const Predictor& p, const std::string& name, int hue, const Value& value) {
    for (const bool overlap : {true, false}) {
        ChartSeries series;
        series.name = name + (overlap ? "" : ", no overlap");
        series.hue = hue;
        series.dashed = !overlap;
        for (const int gpus : p.counts()) {
            const double y = value(gpus, overlap);
            series.x.push_back(gpus);
            series.y.push_back(y);
        }
        chart.series.push_back(std::move(series));
    }
}

constexpr double does_not_fit = std::numeric_limits<double>::quiet_NaN();

Chart strong_chart(const Predictor& p) {
    Chart chart = gpus_chart("Predicted: strong scaling on " + p.machine.name, "efficiency");
    int hue = 0;
    for (const double particles : strong_sizes)
        add_lines(chart, p, short_number(particles), hue++, [&](int gpus, bool overlap) {
            return p.fits(particles, gpus) ? p.strong(particles, gpus, Cut::three_axes, overlap) : does_not_fit;
        });
    return chart;
}

Chart weak_chart(const Predictor& p) {
    Chart chart = gpus_chart("Predicted: weak scaling, 14.6 M particles a GPU", "efficiency");
    int hue = 0;
    for (const Cut cut : {Cut::three_axes, Cut::two_axes, Cut::layers})
        add_lines(chart, p, cut_name(cut), hue++,
                  [&](int gpus, bool overlap) { return p.weak(14.6e6, gpus, cut, overlap); });
    return chart;
}

Chart exposed_chart(const Predictor& p) {
    Chart chart = gpus_chart("Predicted: exposed communication, strong scaling", "part of a step");
    int hue = 0;
    for (const double particles : strong_sizes)
        add_lines(chart, p, short_number(particles), hue++, [&](int gpus, bool overlap) {
            const StepPrediction step = predict_step(p.costs, p.machine, particles, gpus, Cut::three_axes, overlap);
            return p.fits(particles, gpus) ? step.exposed / step.step() : does_not_fit;
        });
    return chart;
}

std::string link_text(const Link& link) {
    return fmt::format("{:.3g} µs and {:.4g} GB/s a GPU", 1e6 * link.latency, 1e-9 * link.bandwidth);
}

std::vector<std::string> assumptions(const KnownCosts& known, const SimulatedMachine& m) {
    const ScalingCosts& c = known.costs;
    std::vector<std::string> list;
    list.push_back(fmt::format("Predictions are for {}: {}. Inside a node {}, between nodes {}; {} of memory a GPU. "
                               "Latencies, and all figures of links between nodes, are assumptions, not measurements.",
                               m.name, m.description, link_text(m.inside), link_text(m.between),
                               bytes_text(m.gpu_memory)));
    list.push_back(fmt::format("Costs: {}. One GPU takes what was measured, with straight lines between {} measured "
                               "sizes; below them the line "
                               "of the smallest two, beyond them the cost of a particle at the largest ({:.3g} ns).",
                               c.source, c.one_gpu.points().size(),
                               1e9 * c.one_gpu.points().back().seconds / c.one_gpu.points().back().particles));
    list.push_back(fmt::format(
        "The longest share takes {:.1f} % more than the mean one, and sharing {:.1f} µs a step beside work, halos and "
        "votes, on any number of GPUs: {}.",
        100 * c.imbalance, 1e6 * c.sharing,
        known.shared.empty() ? "taken over, for nothing was measured on several GPUs"
                             : "fitted to the steps of several GPUs"));
    list.push_back(fmt::format(
        "Every particle fills its share of a box of {:g} x {:g} x {:g} m, the column at the start, walls among them. A "
        "halo is {:.3g} particle spacings deep (two layers of cells with neighbour lists) and takes {:g} bytes a "
        "particle, once a step (Verlet; symplectic would send twice).",
        c.water.x, c.water.y, c.water.z, c.halo_layers, c.halo_bytes));
    list.push_back("Axes take turns, so that edges and corners of shares go along with their faces; both directions of "
                   "an axis go at once, at a latency and the bytes over the bandwidth. A share thinner than the halo "
                   "waits a latency for each neighbour that it reaches.");
    list.push_back(fmt::format("{} votes a step, each as many latencies as there are doublings: inside a node, then "
                               "between nodes. They are never hidden.",
                               c.votes));
    list.push_back("With overlap, halos travel while a GPU computes what needs none of them, and what they take longer "
                   "is exposed; that it splits the work in two costs nothing. Without overlap all is exposed.");
    list.push_back("What is done when lists are renewed is part of the measured steps, and is taken not to grow with "
                   "the number of GPUs. Noise of the network, other jobs and output are left out.");
    list.push_back(
        "Sluice shares a run among the GPUs of one host, in layers across z. Cuts across more axes, and more "
        "than one host, are predictions of what does not exist yet.");
    list.push_back(
        fmt::format("* More particles than Sluice numbers today ({}). Rows whose shares do not fit into the "
                    "GPU's memory ({:.0f} bytes a particle) are left out; efficiencies are over one GPU that "
                    "had memory enough.",
                    short_number(most_ids), c.particle_bytes));
    return list;
}

} // namespace

void add_prediction(ExperimentResult& result, const KnownCosts& known, const SimulatedMachine& machine) {
    const Predictor p(known.costs, machine);
    result.charts.push_back(strong_chart(p));
    result.charts.push_back(weak_chart(p));
    result.charts.push_back(exposed_chart(p));
    if (!known.shared.empty()) result.tables.push_back(check_table(known, machine));
    result.tables.push_back(strong_table(p));
    result.tables.push_back(weak_table(p));
    result.tables.push_back(machines_table(known.costs));
    for (std::string& sentence : assumptions(known, machine)) result.estimated.push_back(std::move(sentence));
}

} // namespace sluice::bench

// SPDX-License-Identifier: Apache-2.0
#include "bench/experiment.h"
#include "bench/mps/operator_timing.h"
#include "bench/paper_numbers.h"
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sluice::bench {

namespace {

using mps::DifferentialOperator;

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// The paper's time of a version, ms; NaN: it prints none.
double paper_milliseconds(const std::string& version, DifferentialOperator which) {
    if (version == "n_div 3, cube" && which == DifferentialOperator::lsmps) {
        const double operations = paper_number("mps-efficiency", "operations", "n_div 3, cube; LSMPS", 226981);
        const double share = paper_number("mps-efficiency", "share of peak, %", "n_div 3, cube; LSMPS", 226981);
        return 1e3 * operations / (0.01 * share * 1.17e12);
    }
    return paper_number("mps-operators", "time, ms", fmt::format("{}; {}", version, operator_name(which)), 226981);
}

std::string number_or_dash(double value, const char* format) {
    return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : std::string("–");
}

/// The version of the same device that all are compared with: the first.
const OperatorVariant& base_of(const std::vector<OperatorVariant>& variants, const OperatorVariant& variant) {
    for (const OperatorVariant& first : variants)
        if (first.gpu == variant.gpu) return first;
    return variant;
}

void add_rows(ResultTable& table, const ExperimentResult& result, const std::vector<OperatorVariant>& variants,
              int side) {
    for (const OperatorVariant& variant : variants)
        for (const DifferentialOperator which : all_operators) {
            const Measurement* m = find_operator(result, variant, which, side);
            const Measurement* base = find_operator(result, base_of(variants, variant), which, side);
            if (!m) continue;
            const double ms = 1e3 * m->seconds_per_step(), search = 1e3 * search_seconds(*m);
            const double paper = paper_milliseconds(variant.paper, which);
            const double speed_up = base ? base->seconds_per_step() / m->seconds_per_step() : nothing;
            table.rows.push_back({variant.name, operator_name(which), std::to_string(m->particles),
                                  fmt::format("{:.3f}", ms), fmt::format("{:.3f}", search),
                                  fmt::format("{:.0f} %", 100 * (m->slowest() - m->fastest()) / m->seconds_per_step()),
                                  number_or_dash(speed_up, "{:.2f} ×"), number_or_dash(paper, "{:.1f}"),
                                  number_or_dash(paper_milliseconds("linked list", which) / paper, "{:.2f} ×")});
        }
}

Chart time_chart(const ExperimentResult& result, const std::vector<OperatorVariant>& variants, int side) {
    Chart chart;
    chart.kind = ChartKind::bars;
    chart.title = fmt::format("Times of the operators, {}³ particles", side);
    chart.y_label = "milliseconds";
    chart.log_y = true;
    for (const DifferentialOperator which : all_operators) {
        const int hue = static_cast<int>(chart.series.size() / 2);
        chart.series.push_back({operator_name(which), {}, {}, {}, {}, false, false, hue});
        chart.series.push_back(
            {fmt::format("{}, Murotani et al. (K20)", operator_name(which)), {}, {}, {}, {}, true, false, hue});
    }
    for (const OperatorVariant& variant : variants) {
        if (!find_operator(result, variant, DifferentialOperator::lsmps, side)) continue;
        chart.categories.push_back(variant.name);
        for (std::size_t n = 0; n < std::size(all_operators); ++n) {
            const Measurement* m = find_operator(result, variant, all_operators[n], side);
            chart.series[2 * n].y.push_back(1e3 * m->seconds_per_step());
            chart.series[2 * n + 1].y.push_back(side == paper_side ? paper_milliseconds(variant.paper, all_operators[n])
                                                                   : nothing);
        }
    }
    return chart;
}

} // namespace

ExperimentResult mps_operators(const Plan& plan) {
    ExperimentResult result;
    result.subject = "a cubic lattice of particles, radius 3.1 spacings";
    const std::vector<OperatorVariant> variants = operator_variants();
    measure_operators(variants, plan, result);
    ResultTable table{"Times of the operators",
                      "measured, beside Murotani et al.",
                      {"version", "operator", "particles", "ms", "search, ms", "spread", "over the linked list",
                       "paper (K20), ms", "paper: over the linked list"},
                      {}};
    for (const int side : measured_sides(result)) {
        add_rows(table, result, variants, side);
        result.charts.push_back(time_chart(result, variants, side));
    }
    result.tables.push_back(std::move(table));
    result.measured.push_back(fmt::format(
        "One evaluation at all particles in double precision, median; the search, which sorts the particles and makes "
        "the "
        "structure, stands in its own column and is not in the time, as in the paper. The CPU has {} threads. Versions "
        "from the linked list to n_div 3, cube, follow the paper's programs, one pair at a time; those with the name "
        "of an "
        "instruction set compute several neighbours at a time.",
        variants.front().threads));
    result.estimated.push_back(
        "The paper prints the share of the peak of LSMPS with n_div 3 and the cube and its number "
        "of operations, not its time, which follows from both and the peak of 1.17 Tflop/s.");
    return result;
}

} // namespace sluice::bench

// SPDX-License-Identifier: Apache-2.0
#include "bench/summaries.h"

#include "bench/dam_break.h"
#include "bench/timing.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice::bench {

const char* const run_estimate_note =
    "Runtimes to 1.5 s are estimated: measured cost of a step at the start of the run × the papers' 19,830 steps at "
    "503,492 particles, scaled with "
    "1/dp to other sizes. A whole run takes longer where its later, wilder flow costs more.";

ResultTable timing_table(const ExperimentResult& result, const std::string& base) {
    ResultTable table{"Measured here",
                      "measured",
                      {"version", "particles", "steps/s", "M particle-steps/s", "ms/step", "spread, %",
                       "speed-up over " + base, "bytes/particle"},
                      {}};
    for (const Measurement& m : result.measurements) {
        const Measurement* reference = find(result, base, m.particles);
        const double cost = m.seconds_per_step();
        table.rows.push_back({m.variant, std::to_string(m.particles), fmt::format("{:.4g}", 1 / cost),
                              fmt::format("{:.4g}", m.particles / cost * 1e-6), fmt::format("{:.4g}", 1e3 * cost),
                              fmt::format("{:.1f}", 100 * (m.slowest() - m.fastest()) / cost),
                              reference ? fmt::format("{:.2f} ×", reference->seconds_per_step() / cost) : "–",
                              fmt::format("{:.0f}", double(m.memory_bytes) / m.particles)});
    }
    return table;
}

ChartSeries speedup_series(const ExperimentResult& result, const std::string& variant, const std::string& base) {
    ChartSeries series;
    series.name = variant;
    for (const std::uint32_t size : measured_sizes(result)) {
        const Measurement *m = find(result, variant, size), *reference = find(result, base, size);
        if (!m || !reference) continue;
        series.x.push_back(size);
        series.y.push_back(reference->seconds_per_step() / m->seconds_per_step());
        series.low.push_back(reference->seconds_per_step() / m->slowest());
        series.high.push_back(reference->seconds_per_step() / m->fastest());
    }
    return series;
}

ChartSeries size_series(const ExperimentResult& result, const std::string& variant,
                        double (*value)(double seconds, const Measurement&)) {
    ChartSeries series;
    series.name = variant;
    for (const std::uint32_t size : measured_sizes(result)) {
        const Measurement* m = find(result, variant, size);
        if (!m) continue;
        series.x.push_back(size);
        series.y.push_back(value(m->seconds_per_step(), *m));
        const auto [low, high] = std::minmax({value(m->fastest(), *m), value(m->slowest(), *m)});
        series.low.push_back(low);
        series.high.push_back(high);
    }
    return series;
}

double estimated_run_seconds(double seconds_per_step, const Measurement& measurement) {
    constexpr double paper_steps = 19830;
    static const double paper_dp = spacing_for(503492);
    return seconds_per_step * paper_steps * paper_dp / measurement.dp;
}

Chart size_chart(const std::string& title, const std::string& y_label) {
    Chart chart;
    chart.title = title;
    chart.x_label = "particles";
    chart.y_label = y_label;
    chart.log_x = true;
    return chart;
}

std::vector<std::string> variants_of(const ExperimentResult& result) {
    std::vector<std::string> names;
    for (const Measurement& m : result.measurements)
        if (std::find(names.begin(), names.end(), m.variant) == names.end()) names.push_back(m.variant);
    return names;
}

} // namespace sluice::bench

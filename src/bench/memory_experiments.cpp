// SPDX-License-Identifier: Apache-2.0
#include "bench/dam_break.h"
#include "bench/experiment.h"
#include "bench/timing.h"
#include "bench/variants.h"
#include "core/error.h"
#include "core/numbers.h"
#include "run/gpu_memory_plan.h"
#include <cmath>
#include <fmt/format.h>

namespace sluice::bench {

namespace {

constexpr double memories[] = {1.4e9, 4e9, 24e9, 80e9, 141e9};
constexpr double most_ids = 4294967295.0; // particle ids have 32 bits

double planned_bytes(GpuMode mode, double particles) {
    const GpuMemoryRequest request{make_setup_of(particles), static_cast<std::uint64_t>(particles), 1e300, {}, {}};
    for (const GpuModePlan& plan : plan_gpu_memory(request).modes)
        if (plan.mode == mode) return plan.bytes;
    return std::nan("");
}

/// Memory grows with N: halve the interval, in the logarithm.
double most_particles(GpuMode mode, double memory) {
    double low = 1e3, high = most_ids;
    if (planned_bytes(mode, high) <= memory) return high;
    for (int n = 0; n < 40; ++n) {
        const double middle = std::sqrt(low * high);
        (planned_bytes(mode, middle) <= memory ? low : high) = middle;
    }
    return low;
}

ResultTable capacity_table() {
    ResultTable table{"Most particles of the dam break in so much GPU memory", "calculated", {"version"}, {}};
    for (const double memory : memories) table.columns.push_back(fmt::format("{}B", short_number(memory)));
    for (const auto& mode : gpu_modes) {
        std::vector<std::string> row{std::string(mode.name)};
        for (const double memory : memories) row.push_back(short_number(most_particles(mode.mode, memory)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Chart memory_chart() {
    Chart chart;
    chart.title = "Memory of the GPU versions";
    chart.x_label = "particles";
    chart.y_label = "GPU memory, bytes";
    chart.log_x = chart.log_y = true;
    for (const auto& mode : gpu_modes) {
        ChartSeries series;
        series.name = mode.name;
        for (const double n : {1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8, 3e8, 1e9}) {
            series.x.push_back(n);
            series.y.push_back(planned_bytes(mode.mode, n));
        }
        chart.series.push_back(std::move(series));
    }
    for (const double memory : {1.4e9, 141e9})
        chart.series.push_back(
            {fmt::format("{}B", short_number(memory)), {1e5, 1e9}, {memory, memory}, {}, {}, true, true, -1});
    return chart;
}

/// What the backend holds, beside the plan, where there is a GPU.
void compare_with_device(const Plan& plan, ExperimentResult& result) {
    std::string why;
    if (!gpu_present(&why)) {
        result.estimated.push_back("No GPU here, so nothing was allocated to compare the plan with (" + why + ").");
        return;
    }
    ResultTable table{"The plan beside what is held on this GPU",
                      "measured",
                      {"version", "particles", "planned", "held", "difference"},
                      {}};
    for (const std::uint64_t size : sizes_of(plan, {100000, 1000000})) {
        const DamBreak dam = make_dam_break_of(size);
        for (const auto& mode : gpu_modes) {
            try {
                const auto backend = gpu_variant(mode.mode).make(dam.setup, dam.particles());
                backend->set_state(dam.state);
                backend->advance({1e9, 2, 1e9});
                const GpuMemoryRequest request{dam.setup, dam.particles(), 1e300, {}, {}};
                double planned = 0;
                for (const GpuModePlan& p : plan_gpu_memory(request).modes)
                    if (p.mode == mode.mode) planned = p.bytes;
                const double held = double(backend->memory_bytes());
                table.rows.push_back({std::string(mode.name), std::to_string(dam.particles()),
                                      short_number(planned) + "B", short_number(held) + "B",
                                      fmt::format("{:+.1f} %", 100 * (held / planned - 1))});
            } catch (const RunError& error) {
                result.estimated.push_back(
                    fmt::format("{} at {} particles: {}.", mode.name, dam.particles(), error.what()));
            }
        }
    }
    result.tables.push_back(std::move(table));
    result.measured.push_back("Bytes held are those that the backend has allocated on the device after two steps.");
}

} // namespace

ExperimentResult gpu_memory(const Plan& plan) {
    ExperimentResult result;
    result.charts.push_back(memory_chart());
    result.tables.push_back(capacity_table());
    result.estimated.push_back("Chart and capacities follow from the memory plan, the same that chooses the version of "
                               "a run: bytes per particle and per cell, "
                               "cells of the dam break's domain. Decimal units: 1 GB is 10⁹ bytes.");
    result.estimated.push_back(
        fmt::format("{} particles are the most that ids of 32 bits can number.", short_number(most_ids)));
    compare_with_device(plan, result);
    return result;
}

} // namespace sluice::bench

// SPDX-License-Identifier: Apache-2.0
#include "backend/gpu_memory_plan.h"
#include "bench/dam_break.h"
#include "bench/experiment.h"
#include "bench/timing.h"
#include "bench/variants.h"
#include "core/error.h"
#include "core/numbers.h"
#include <fmt/format.h>

namespace sluice::bench {

namespace {

constexpr double memories[] = {1.4e9, 4e9, 24e9, 80e9, 141e9};

/// A version's part of the memory plan.
GpuModePlan planned(const RunSetup& setup, double particles, GpuMode mode, double memory = 1e300) {
    for (const GpuModePlan& plan : plan_gpu_memory({setup, std::uint64_t(particles), memory, {}, {}}).modes)
        if (plan.mode == mode) return plan;
    return {};
}

GpuModePlan planned(double particles, GpuMode mode, double memory = 1e300) {
    return planned(make_setup_of(particles), particles, mode, memory);
}

/// Asked twice, the second time with nearly the right number: how far the domain goes beyond the walls depends on dp.
double most_particles(GpuMode mode, double memory) {
    const double about = planned(1e6, mode, memory).most_particles;
    return planned(about, mode, memory).most_particles;
}

ResultTable capacity_table() {
    ResultTable table{"Most particles of the dam break in so much GPU memory", "calculated", {"version"}, {}};
    for (const double memory : memories) table.columns.push_back(bytes_text(memory));
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
            series.y.push_back(planned(n, mode.mode).bytes);
        }
        chart.series.push_back(std::move(series));
    }
    for (const double memory : {1.4e9, 141e9})
        chart.series.push_back({bytes_text(memory), {1e5, 1e9}, {memory, memory}, {}, {}, true, true, -1});
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
                const double bytes = planned(dam.setup, dam.particles(), mode.mode).bytes,
                             held = double(backend->memory_bytes());
                table.rows.push_back({std::string(mode.name), std::to_string(dam.particles()), bytes_text(bytes),
                                      bytes_text(held), fmt::format("{:+.1f} %", 100 * (held / bytes - 1))});
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

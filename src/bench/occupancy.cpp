// SPDX-License-Identifier: Apache-2.0
#include "bench/occupancy.h"

#include "bench/experiment.h"
#include "bench/variants.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace sluice::bench {

namespace {

// Technical specifications by compute capability, from NVIDIA's programming guides.
constexpr Multiprocessor multiprocessors[] = {
    {13, 32, 8, 16384, 124, 512, 512, true},     {20, 48, 8, 32768, 63, 1024, 64, false},
    {30, 64, 16, 65536, 63, 1024, 256, false},   {35, 64, 16, 65536, 255, 1024, 256, false},
    {50, 64, 32, 65536, 255, 1024, 256, false},  {60, 64, 32, 65536, 255, 1024, 256, false},
    {70, 64, 32, 65536, 255, 1024, 256, false},  {75, 32, 16, 65536, 255, 1024, 256, false},
    {80, 64, 32, 65536, 255, 1024, 256, false},  {86, 48, 16, 65536, 255, 1024, 256, false},
    {89, 48, 24, 65536, 255, 1024, 256, false},  {90, 64, 32, 65536, 255, 1024, 256, false},
    {100, 64, 32, 65536, 255, 1024, 256, false}, {120, 48, 24, 65536, 255, 1024, 256, false},
};

constexpr int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

ChartSeries curve(int capability, bool chosen, int hue) {
    const Multiprocessor& sm = multiprocessor(capability);
    ChartSeries series;
    series.name =
        fmt::format("capability {}.{}, {}", capability / 10, capability % 10, chosen ? "chosen block" : "256 threads");
    series.dashed = !chosen;
    series.steps = true;
    series.hue = hue;
    for (int registers = 10; registers <= std::min(128, sm.registers_per_thread); ++registers) {
        const double reached = chosen ? best_block(sm, registers).occupancy : occupancy(sm, registers, 256);
        if (reached == 0) break; // such a kernel cannot run
        series.x.push_back(registers);
        series.y.push_back(100 * reached);
    }
    return series;
}

/// Our own kernels as points of the chart. Where labels would overlap, the rightmost point has them all.
ChartSeries kernel_points(const std::vector<KernelUse>& kernels) {
    std::map<std::pair<double, int>, std::string> places; // by occupancy and registers: numbers
    for (std::size_t n = 0; n < kernels.size(); ++n) {
        std::string& label = places[{100 * kernels[n].occupancy, kernels[n].registers}];
        label += fmt::format("{}{}", label.empty() ? "" : ", ", n + 1);
    }
    ChartSeries series;
    series.name = "our kernels, by number";
    series.points = true;
    for (auto place = places.begin(); place != places.end(); ++place) {
        const auto& [occupancy, registers] = place->first;
        series.x.push_back(registers);
        series.y.push_back(occupancy);
        const auto next = std::next(place);
        const bool crowded =
            next != places.end() && next->first.first == occupancy && next->first.second - registers < 5;
        if (crowded) next->second = fmt::format("{}, {}", place->second, next->second);
        series.labels.push_back(crowded ? "" : place->second);
    }
    return series;
}

ResultTable kernel_table(const std::vector<KernelUse>& kernels) {
    ResultTable numbers{
        fmt::format("Our interaction kernels on {}", gpu_name()),
        "asked of the driver",
        {"number", "kernel", "registers a thread", "threads a block", "occupancy, %", "with 256 threads, %"},
        {}};
    for (std::size_t n = 0; n < kernels.size(); ++n) {
        const KernelUse& k = kernels[n];
        numbers.rows.push_back({std::to_string(n + 1), k.name, std::to_string(k.registers), std::to_string(k.block),
                                fmt::format("{:.0f}", 100 * k.occupancy),
                                k.occupancy_256 > 0 ? fmt::format("{:.0f}", 100 * k.occupancy_256) : "–"});
    }
    return numbers;
}

} // namespace

const Multiprocessor& multiprocessor(int capability) {
    const Multiprocessor* best = &multiprocessors[0];
    for (const Multiprocessor& sm : multiprocessors)
        if (sm.capability <= capability) best = &sm;
    return *best;
}

double occupancy(const Multiprocessor& sm, int registers, int block) {
    if (registers < 1 || registers > sm.registers_per_thread || block < 1 || block > sm.threads_per_block) return 0;
    const int warps = round_up(block, 32) / 32;
    int by_registers = 0;
    if (sm.unit_per_block)
        by_registers = sm.registers / round_up(round_up(warps, 2) * 32 * registers, sm.register_unit);
    else
        by_registers = sm.registers / round_up(registers * 32, sm.register_unit) / warps;
    const int blocks = std::min({by_registers, sm.blocks, sm.warps / warps});
    return double(blocks * warps) / sm.warps;
}

BlockChoice best_block(const Multiprocessor& sm, int registers) {
    BlockChoice best;
    for (int block = 32; block <= sm.threads_per_block; block += 32)
        if (const double reached = occupancy(sm, registers, block); reached > best.occupancy) best = {block, reached};
    return best;
}

ExperimentResult gpu_occupancy(const Plan&) {
    ExperimentResult result;
    const int card = gpu_capability() > 0 ? gpu_capability() : 90;
    Chart chart;
    chart.title = "Occupancy, fixed and chosen block size";
    chart.x_label = "registers per thread";
    chart.y_label = "occupancy, %";
    ResultTable numbers{"Occupancy, %, with 256 threads a block → with the chosen block size (threads)",
                        "calculated",
                        {"registers"},
                        {}};
    for (const int registers : {24, 32, 35, 40, 48, 56, 64, 80, 96, 128})
        numbers.rows.push_back({std::to_string(registers)});
    for (const int capability : {13, 20, card}) {
        const int hue = static_cast<int>(chart.series.size() / 2);
        chart.series.push_back(curve(capability, true, hue));
        chart.series.push_back(curve(capability, false, hue));
        numbers.columns.push_back(fmt::format("compute capability {}.{}", capability / 10, capability % 10));
        const Multiprocessor& sm = multiprocessor(capability);
        for (auto& row : numbers.rows) {
            const int registers = std::stoi(row[0]);
            const BlockChoice best = best_block(sm, registers);
            row.push_back(best.block == 0 ? "–"
                                          : fmt::format("{:.0f} → {:.0f} ({})", 100 * occupancy(sm, registers, 256),
                                                        100 * best.occupancy, best.block));
        }
    }
    const std::vector<KernelUse> kernels = gpu_kernels();
    if (!kernels.empty()) chart.series.push_back(kernel_points(kernels));
    result.charts.push_back(std::move(chart));
    result.tables.push_back(std::move(numbers));
    if (!kernels.empty()) result.tables.push_back(kernel_table(kernels));
    result.estimated.push_back(fmt::format(
        "Curves are calculated from what a multiprocessor holds, not measured; our own kernels, where there is a GPU, "
        "are as its driver says. 1.3 and 2.0 are the papers' cards; {}.{} is {}.",
        card / 10, card % 10, gpu_capability() > 0 ? gpu_name() : "shown as an example, for there is no GPU here"));
    return result;
}

} // namespace sluice::bench

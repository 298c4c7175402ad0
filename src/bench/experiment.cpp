// SPDX-License-Identifier: Apache-2.0
#include "bench/experiment.h"

#include "bench/paper_numbers.h"
#include "bench/variants.h"
#include "core/error.h"
#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace sluice::bench {

namespace {

constexpr Experiment table[] = {
    {"cpu-optimizations", "Single-core optimisations of the CPU", "preprint Fig. 13", false, cpu_optimizations},
    {"cpu-modes", "Ways to use all threads of the CPU", "paper Fig. 8, preprint Fig. 14", false, cpu_modes_experiment},
    {"cpu-threads", "Threads of the CPU", "paper Table 4, preprint Fig. 15", false, cpu_threads},
    {"gpu-optimizations", "Optimisations of the GPU, one on top of the other", "paper Table 5, preprint Figs 16 and 17",
     true, gpu_optimizations},
    {"gpu-stages", "Where the time of a step goes on the GPU", "paper Fig. 9, preprint Fig. 18", true, gpu_stages},
    {"gpu-occupancy", "Occupancy of a GPU against registers", "paper Fig. 6, preprint Fig. 9", false, gpu_occupancy},
    {"cpu-vs-gpu", "CPU against GPU", "paper Table 6, preprint Fig. 19 and Table 4", true, cpu_vs_gpu},
    {"gpu-memory", "Memory of the GPU versions", "paper Fig. 10, preprint Fig. 20", false, gpu_memory},
    {"versions", "Runtimes of all versions", "paper Fig. 11, preprint Fig. 21", false, versions},
    {"scaling", "Cost and memory of a particle against the number of particles", "beyond the papers", false, scaling},
};

double sample_cost(const Sample& sample) { return sample.wall_seconds / double(sample.steps); }

std::vector<double> sorted_costs(const std::vector<Sample>& samples) {
    std::vector<double> costs;
    for (const Sample& sample : samples) costs.push_back(sample_cost(sample));
    std::sort(costs.begin(), costs.end());
    return costs;
}

} // namespace

double Measurement::seconds_per_step() const {
    const std::vector<double> costs = sorted_costs(samples);
    if (costs.empty()) return 0;
    const std::size_t middle = costs.size() / 2;
    return costs.size() % 2 == 1 ? costs[middle] : 0.5 * (costs[middle - 1] + costs[middle]);
}

double Measurement::fastest() const { return samples.empty() ? 0 : sorted_costs(samples).front(); }
double Measurement::slowest() const { return samples.empty() ? 0 : sorted_costs(samples).back(); }

PhaseSeconds Measurement::phases_per_step() const {
    PhaseSeconds sum;
    double count = 0;
    for (const Sample& sample : samples) {
        sum.cell_list += sample.phases.cell_list;
        sum.interaction += sample.phases.interaction;
        sum.update += sample.phases.update;
        sum.transfer += sample.phases.transfer;
        count += double(sample.steps);
    }
    if (count == 0) return sum;
    return {sum.cell_list / count, sum.interaction / count, sum.update / count, sum.transfer / count};
}

std::span<const Experiment> experiments() { return table; }

const Experiment& find_experiment(const std::string& name) {
    std::string names;
    for (const Experiment& experiment : experiments()) {
        if (experiment.name == name) return experiment;
        names += (names.empty() ? "" : ", ") + std::string(experiment.name);
    }
    throw InputError(fmt::format("bench: there is no experiment '{}'; take list, all, or one of {}", name, names));
}

ExperimentResult run_experiment(const Experiment& experiment, const Plan& plan) {
    ExperimentResult result;
    std::string why;
    const auto start = std::chrono::steady_clock::now();
    if (experiment.needs_gpu && !gpu_present(&why))
        result.unavailable = "needs a GPU: " + why;
    else
        result = experiment.run(plan);
    result.name = experiment.name;
    result.title = experiment.title;
    result.reproduces = experiment.reproduces;
    result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (ResultTable published = paper_table(experiment.name); !published.rows.empty())
        result.tables.push_back(std::move(published));
    return result;
}

} // namespace sluice::bench

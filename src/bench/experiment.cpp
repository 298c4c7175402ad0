// SPDX-License-Identifier: Apache-2.0
#include "bench/experiment.h"

#include "bench/paper_numbers.h"
#include "bench/variants.h"
#include "core/error.h"
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>

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
    {"scaling", "Several ranks and GPUs: measured here, and predicted for many", "Rustico et al. Tables I and II",
     false, scaling},
    {"size", "Cost and memory of a particle against the number of particles", "beyond the papers", false,
     size_experiment},
    {"mps-search", "MPS: candidates and pairs of searches", "Murotani et al. Tables 1 and 2, Fig. 4", false,
     mps_search},
    {"mps-operators", "MPS: times of the differential operators", "Murotani et al. Figs 6c and 7a", false,
     mps_operators},
    {"mps-efficiency", "MPS: operations and share of the peak", "Murotani et al. Table 3, Figs 6 and 7b", false,
     mps_efficiency},
    {"fvpm-ladder", "A kernel of the finite volume particle method, optimised", "Alimirzazadeh et al. Table I", true,
     fvpm_ladder},
    {"fvpm-speedup", "Steps of the finite volume particle method, CPU and GPU", "Alimirzazadeh et al. Figs 7 to 9",
     false, fvpm_speedup},
};

/// The largest over the mean.
template <class Shares, class Value>
double largest_over_mean(const Shares& shares, const Value& value) {
    double largest = 0, sum = 0;
    for (const auto& share : shares) {
        largest = std::max(largest, double(value(share)));
        sum += double(value(share));
    }
    return sum > 0 ? largest * double(shares.size()) / sum : 1;
}

double sample_cost(const Sample& sample) { return sample.wall_seconds / double(sample.steps); }

std::vector<double> costs_of(const std::vector<Sample>& samples) {
    std::vector<double> costs;
    for (const Sample& sample : samples) costs.push_back(sample_cost(sample));
    return costs;
}

} // namespace

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

double Measurement::seconds_per_step() const { return samples.empty() ? 0 : median(costs_of(samples)); }
double Measurement::fastest() const { return samples.empty() ? 0 : std::ranges::min(costs_of(samples)); }
double Measurement::slowest() const { return samples.empty() ? 0 : std::ranges::max(costs_of(samples)); }

double Measurement::balance() const {
    std::vector<double> of_samples;
    for (const Sample& sample : samples)
        if (!sample.ranks.empty())
            of_samples.push_back(largest_over_mean(sample.ranks, [](const RankShare& r) { return r.interaction; }));
    if (!of_samples.empty()) return median(of_samples);
    return largest_over_mean(backend.gpus, [](const GpuShare& g) { return g.fluid_particles; });
}

double Measurement::exposed_communication() const {
    std::vector<double> of_samples;
    for (const Sample& sample : samples) {
        if (sample.ranks.empty()) continue;
        double exchange = 0;
        for (const RankShare& rank : sample.ranks) exchange += rank.exchange;
        of_samples.push_back(exchange / (double(sample.ranks.size()) * sample.wall_seconds));
    }
    if (!of_samples.empty()) return median(of_samples);
    if (backend.gpus.empty()) return std::numeric_limits<double>::quiet_NaN();
    return std::ranges::min(backend.gpus, {}, &GpuShare::waiting).waiting;
}

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

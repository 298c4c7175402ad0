// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "bench/chart.h"
#include "bench/simulated_machine.h"
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

// What an experiment is and what it finds. `experiments()` is the one table of them.

namespace sluice::bench {

/// One timed stretch of steps.
struct Sample {
    std::int64_t steps = 0;
    double wall_seconds = 0;
    PhaseSeconds phases;            ///< within the stretch
    std::vector<RankShare> ranks{}; ///< of several ranks, within the stretch
};

/// The middle of the values, or the mean of the two in the middle; there is at least one.
double median(std::vector<double> values);

/// One version of the program at one size: what ran, and every raw sample.
struct Measurement {
    std::string variant;
    std::uint32_t particles = 0, fluid = 0; ///< all, and those of the fluid
    double dp = 0;                          ///< m
    BackendInfo backend;
    std::size_t memory_bytes = 0;
    std::int64_t warm_up_steps = 0;
    std::vector<Sample> samples;

    std::int64_t steps() const { return samples.empty() ? 0 : samples.front().steps; }
    double seconds_per_step() const; ///< median of the samples
    double fastest() const;          ///< s per step
    double slowest() const;          ///< s per step
    double steps_per_second() const { return 1 / seconds_per_step(); }
    double particle_steps_per_second() const { return particles / seconds_per_step(); }
    PhaseSeconds phases_per_step() const; ///< mean over the samples
    /// The largest over the mean of the shares of several ranks or GPUs, 1 for one: of the time of their interactions,
    /// median of the samples, or of the particles where a backend does not report that.
    double balance() const;
    /// The part of a step that is exposed communication: of ranks the time that they spend on messages and on waiting
    /// for them, mean of the ranks and median of the samples; of GPUs what the one waits that waits least, in the last
    /// sample. NaN: there is one.
    double exposed_communication() const;
};

/// Numbers as a table of text, for the page and for a terminal.
struct ResultTable {
    std::string caption;
    std::string source; ///< where the numbers come from: "measured", "calculated", or a paper
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

/// What an experiment found.
struct ExperimentResult {
    std::string name, title, reproduces;
    std::string subject = "dam-break-3d.xml: cubic spline, artificial viscosity 0.25, Verlet, no density diffusion";
    std::string unavailable; ///< why it did not run; empty: it ran
    std::vector<Measurement> measurements;
    std::vector<Chart> charts;          ///< the first one is the experiment's SVG file
    std::vector<ResultTable> tables;    ///< ours first, then the papers'
    std::vector<std::string> measured;  ///< sentences: what was measured and how
    std::vector<std::string> estimated; ///< sentences: what was not measured, and from what it follows
    double wall_seconds = 0;            ///< that the experiment took
};

/// What the user asked for.
struct Plan {
    std::vector<std::uint64_t> sizes;                        ///< particles; empty: the experiment's own
    double budget = 120;                                     ///< s for this experiment
    SimulatedMachine machine = simulated_machines().front(); ///< for which `scaling` predicts
    std::function<void(const std::string&)> tell = [](const std::string&) {}; ///< progress, one line
};

struct Experiment {
    const char* name;
    const char* title;
    const char* reproduces; ///< tables and figures of the papers
    bool needs_gpu;
    ExperimentResult (*run)(const Plan& plan);
};

/// All experiments, in the order of `bench list` and `bench all`.
std::span<const Experiment> experiments();

/// The experiment of that name. InputError that names them all if there is none.
const Experiment& find_experiment(const std::string& name);

/// Runs it, or says why it cannot be run here.
ExperimentResult run_experiment(const Experiment& experiment, const Plan& plan);

// The experiments, by file: cpu_experiments.cpp
ExperimentResult cpu_optimizations(const Plan& plan);
ExperimentResult cpu_modes_experiment(const Plan& plan);
ExperimentResult cpu_threads(const Plan& plan);
ExperimentResult size_experiment(const Plan& plan);
// scaling_experiment.cpp
ExperimentResult scaling(const Plan& plan);
// gpu_experiments.cpp
ExperimentResult gpu_optimizations(const Plan& plan);
ExperimentResult gpu_stages(const Plan& plan);
ExperimentResult cpu_vs_gpu(const Plan& plan);
ExperimentResult versions(const Plan& plan);
// memory_experiments.cpp
ExperimentResult gpu_memory(const Plan& plan);
// occupancy.cpp
ExperimentResult gpu_occupancy(const Plan& plan);
// mps/search_experiment.cpp
ExperimentResult mps_search(const Plan& plan);
// mps/operator_experiment.cpp
ExperimentResult mps_operators(const Plan& plan);
// mps/efficiency_experiment.cpp
ExperimentResult mps_efficiency(const Plan& plan);
// fvpm_experiments.cpp
ExperimentResult fvpm_ladder(const Plan& plan);
ExperimentResult fvpm_speedup(const Plan& plan);

} // namespace sluice::bench

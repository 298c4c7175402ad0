// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/experiment.h"
#include "bench/variants.h"
#include <vector>

namespace sluice::bench {

/// Seconds by a clock that never goes back.
double now();

/// How many steps to time and how often, for the versions of one size.
struct StepPlan {
    std::int64_t warm_up = 2;
    std::int64_t steps = 0;     ///< timed, the same for every version; 0: the budget does not reach
    std::int64_t gpu_steps = 0; ///< of the GPU versions, where that is too short a time to measure a GPU
    std::int64_t gpu_warm_up = 0;
    int repeats = 5;
};

/// What one version costs in a repeat: making it ready, and one step.
struct Cost {
    double set_up = 0, step = 0; ///< s
};

/// The steps and repeats that fill `budget` seconds, and at least one step three times; twice where that alone is more
/// than the budget allows, and nothing where even this is far beyond it.
StepPlan plan_steps(const std::vector<Cost>& costs, double budget, bool gpu);

/// Warm-up and timed steps of the GPU versions beside CPU versions: as planned, or as many as take the fastest a tenth
/// of a second, at `step` seconds each. A few steps would measure how long a device takes to start.
StepPlan lengthen_for_gpu(StepPlan plan, double step);

/// Times every variant at every size within the budget of the plan. At each size, all versions take the same number of
/// steps from the same state (GPU versions beside CPU versions may take more: see lengthen_for_gpu); each repeat runs
/// every version, so that a slow minute of the machine meets all of them. Each sample starts anew: set up, warm up,
/// then time the same steps of the run; no output. Adds what was measured to the result, and the sentences that say so.
/// A version that fails, for lack of memory for instance, is left out at that size, and the result says so.
void measure(const std::vector<Variant>& variants, const std::vector<std::uint64_t>& sizes, const Plan& plan,
             ExperimentResult& result);

/// The sizes of the plan, or those given.
std::vector<std::uint64_t> sizes_of(const Plan& plan, std::vector<std::uint64_t> usual);

/// Measurement of a variant at a size, or null.
const Measurement* find(const ExperimentResult& result, const std::string& variant, std::uint32_t particles);

/// The sizes that were measured, ascending.
std::vector<std::uint32_t> measured_sizes(const ExperimentResult& result);

} // namespace sluice::bench

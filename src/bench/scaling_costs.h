// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "bench/simulated_machine.h"
#include <vector>

// Costs that predictions start from.

namespace sluice::bench {

/// Costs, and the steps of several GPUs that they are calibrated with and can be compared with.
struct KnownCosts {
    ScalingCosts costs;
    std::vector<SharedStep> shared;
};

/// Those of docs/performance-gpu.md: one NVIDIA H200 and two of them, NeighbourList, 3-D dam break.
KnownCosts lab_book_costs(const SimulatedMachine& machine);

/// Those of the GPUs of this machine: steps of one by the number of particles, and of several. What several are needed
/// for is that of the lab book where none are given.
KnownCosts costs_of_this_machine(const std::string& gpu, std::vector<StepCost::Point> one_gpu,
                                 const std::vector<SharedStep>& shared, double bytes_a_particle,
                                 const SimulatedMachine& machine);

} // namespace sluice::bench

// SPDX-License-Identifier: Apache-2.0
#include "bench/scaling_costs.h"

#include "backend/gpu_memory_plan.h"
#include "bench/dam_break.h"
#include <utility>

namespace sluice::bench {

namespace {

/// The column of the papers' dam break, m, which that of the lab book is, too.
constexpr Vec3d column{0.4, 0.67, 0.3};

/// Particle spacings in the two layers of cells that a GPU with neighbour lists sees of its neighbours.
double halo_layers() {
    const RunSetup setup = make_setup_of(1e6);
    return 2 * gpu_search_radius(setup.constants, GpuMode::neighbour_list) / setup.constants.dp;
}

ScalingCosts costs_of(std::string source, std::vector<StepCost::Point> one_gpu, double bytes_a_particle) {
    ScalingCosts costs(std::move(source), StepCost(std::move(one_gpu)));
    costs.halo_layers = halo_layers();
    costs.particle_bytes = bytes_a_particle;
    costs.water = column;
    return costs;
}

} // namespace

KnownCosts lab_book_costs(const SimulatedMachine& machine) {
    // docs/performance-gpu.md: "Rates" (2026-11-22) up to half a million, "Several GPUs" (2026-11-23) above
    const std::vector<SharedStep> shared{{1013148, 2, 0.437e-3}, {4010760, 2, 1.376e-3}, {14626156, 2, 4.765e-3}};
    ScalingCosts costs = costs_of(
        "NVIDIA H200, NeighbourList, 2026-11-23 (docs/performance-gpu.md)",
        {{171327, 0.169e-3}, {487122, 0.368e-3}, {1013148, 0.666e-3}, {4010760, 2.464e-3}, {14626156, 9.289e-3}}, 1095);
    return {calibrated(std::move(costs), machine, shared), shared};
}

KnownCosts costs_of_this_machine(const std::string& gpu, std::vector<StepCost::Point> one_gpu,
                                 const std::vector<SharedStep>& shared, double bytes_a_particle,
                                 const SimulatedMachine& machine) {
    ScalingCosts costs = costs_of(gpu + ", NeighbourList, measured here", std::move(one_gpu), bytes_a_particle);
    if (!shared.empty()) return {calibrated(std::move(costs), machine, shared), shared};
    const ScalingCosts known = lab_book_costs(machine).costs;
    costs.source += "; what sharing takes: two " + known.source;
    costs.imbalance = known.imbalance;
    costs.sharing = known.sharing;
    return {std::move(costs), {}};
}

} // namespace sluice::bench

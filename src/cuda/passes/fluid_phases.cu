// SPDX-License-Identifier: Apache-2.0
#include "cuda/passes/fluid_phases.h"

#include "cuda/device/block_size.cuh"
#include "cuda/device/host_copies.h"
#include "cuda/device/launch_ahead.cuh"
#include "scheme/integrators.h"

namespace sluice::cuda {

namespace {

constexpr int block = 256;

__global__ void mark_kernel(const __grid_constant__ UpdateArgs args, PhaseStates states, bool at_half) {
    wait_for_kernel_before();
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= args.particles) return;
    const std::uint32_t phase = states.groups.phase_of(args.next.id[i]);
    float& term = args.next.position[i].pressure_term;
    if (phase > 0) {
        const float rho = args.next.flow[i].rho;
        float acts = rho; // the density whose pressure acts
        if (at_half && args.control->active)
            acts = sph::damped_density(args.next.previous[i].rho, rho,
                                       float(sph::acoustic_lead(args.step.run, args.control->dt)));
        term = states.of[phase].pressure_term(rho, acts);
    }
    term = with_phase(term, phase);
}

} // namespace

FluidPhases::FluidPhases(const RunSetup& setup, const sph::Constants& pairs, DeviceMemory& memory) {
    if (setup.fluids.empty()) return;
    constexpr const char* what = "properties of the fluids";
    const std::vector<std::uint32_t> first = first_ids_of_fluids(setup.groups);
    std::vector<sph::EquationOfState<float>> equations{sph::EquationOfState<float>(setup.constants)};
    for (const FluidProperties& fluid : setup.fluids)
        equations.emplace_back(relative_constants(setup.constants, fluid));
    table_ = {memory, 1, what};
    first_id_ = {memory, first.size(), what};
    equations_ = {memory, equations.size(), what};
    upload(std::vector<PhaseTable>{PhaseTable(pairs, setup.fluids)}, table_.data());
    upload(first, first_id_.data());
    upload(equations, equations_.data());
    states_ = {{first_id_.data(), static_cast<std::uint32_t>(first.size())}, equations_.data()};
}

void mark_phases(const UpdateArgs& args, const PhaseStates& states, bool at_half, cudaStream_t stream) {
    if (args.particles == 0) return;
    launch_ahead(mark_kernel, blocks_for(args.particles, block), block, stream, "phases of the fluids", args, states,
                 at_half);
}

} // namespace sluice::cuda

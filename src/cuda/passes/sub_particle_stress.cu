// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/launch_ahead.cuh"
#include "cuda/passes/sub_particle_stress.h"

#include "cuda/data/phase_table.h"
#include "cuda/pairs/gather_kernels.cuh"
#include "physics/sph/sub_particle_stress.h"

namespace sluice::cuda {

namespace {

/// What StressDivergence reads of particle j.
struct StressSides {
    StressArrays arrays;
    std::uint32_t first; ///< index of the first fluid particle

    template <class Op>
    SLUICE_INLINE sph::Stress<float> of(std::uint32_t j) const {
        const StressRecord s = load16(arrays.stress + (j - first));
        return {s.xx, s.zz, s.xy, s.xz, arrays.rest[j - first].yz, 0};
    }
};

template <class Fluid, class Kernel>
__global__ void __launch_bounds__(gather_block, gather_blocks_at_once<Fluid>)
    stress_kernel(const __grid_constant__ InteractionArgs args,
                  const __grid_constant__ GatherConstants<sph::VelocityGradient<Kernel>> constants, ListView lists,
                  StressArrays arrays) {
    __shared__ typename Fluid::Shared shared;
    std::uint32_t i;
    const bool valid = has_fluid_particle(args, i);
    const auto sums = gather_sums<Fluid>(args, lists, shared, constants, FlowSides{args.view.flow}, i, valid);
    const std::uint32_t k = i - args.step.boundary_count;
    if (!valid) { // lists of others may contain the place of a particle that left: its value is multiplied with zero
        if (args.control->active && i < args.control->alive) arrays.stress[k] = {}, arrays.rest[k] = {};
        return;
    }
    const auto s = sph::sub_particle_stress(args.step.run, sums.of, args.view.flow[i].rho);
    arrays.stress[k] = {s.xx, s.zz, s.xy, s.xz};
    arrays.rest[k] = {s.yz, s.pressure_term};
}

template <class Fluid, class Kernel>
__global__ void __launch_bounds__(gather_block, gather_blocks_at_once<Fluid>)
    divergence_kernel(const __grid_constant__ InteractionArgs args,
                      const __grid_constant__ GatherConstants<sph::StressDivergence<Kernel>> constants, ListView lists,
                      StressArrays arrays) {
    __shared__ typename Fluid::Shared shared;
    std::uint32_t i;
    const bool valid = has_fluid_particle(args, i);
    const StressSides sides{arrays, args.step.boundary_count};
    const auto sums = gather_sums<Fluid>(args, lists, shared, constants, sides, i, valid);
    if (!valid) return;
    arrays.acceleration[i - args.own_first] = {sums.of[0], sums.of[1], sums.of[2]};
}

/// Of several fluids: stresses are over the density, and forces over the mass of the constants.
__global__ void weigh_stresses_kernel(const __grid_constant__ InteractionArgs args, StressArrays arrays) {
    wait_for_kernel_before();
    std::uint32_t i;
    if (!has_fluid_particle(args, i)) return;
    const float ratio = phase_table(args.pairs.fluid)->density_ratio[phase_in(args.view.position[i].pressure_term)];
    StressRecord& stress = arrays.stress[i - args.step.boundary_count];
    StressRest& rest = arrays.rest[i - args.step.boundary_count];
    stress = {ratio * stress.xx, ratio * stress.zz, ratio * stress.xy, ratio * stress.xz};
    rest = {ratio * rest.yz, ratio * rest.pressure_term};
}

/// `Phased`: pressure terms carry phases.
template <bool Phased>
__global__ void pressure_kernel(const __grid_constant__ InteractionArgs args, StressArrays arrays, Position* position,
                                Range seen) {
    wait_for_kernel_before();
    const std::uint32_t i = seen.begin + blockIdx.x * gather_block + threadIdx.x;
    if (!args.control->active || i >= seen.end || args.view.cell[i] == args.step.excluded_cell) return;
    float& term = position[i].pressure_term;
    const float sum = term + arrays.rest[i - args.step.boundary_count].pressure_term;
    term = Phased ? with_phase(sum, phase_in(term)) : sum;
}

} // namespace

SubParticleStress::SubParticleStress(const sph::Constants& constants, std::uint32_t fluid, DeviceMemory& memory) {
    if (constants.viscosity != sph::ViscosityModel::laminar_sps || fluid == 0) return;
    constexpr const char* what = "stresses of the fluid";
    stress_ = {memory, fluid, what};
    rest_ = {memory, fluid, what};
    acceleration_ = {memory, fluid, what};
}

void find_stresses(const InteractionArgs& args, const ListView& lists, const StressArrays& arrays,
                   cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const sph::Constants& c = args.step.run;
    with_fluid_search(lists, [&]<class Fluid>(Fluid) {
        sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
            stress_kernel<Fluid, Kernel><<<gather_blocks(args), gather_block, 0, stream>>>(
                args, GatherConstants<sph::VelocityGradient<Kernel>>(c), lists, arrays);
        });
    });
    check_launch("stresses of the fluid");
    if (args.pairs.fluid.phases)
        launch_ahead(weigh_stresses_kernel, gather_blocks(args), gather_block, stream, "stresses of the fluid", args,
                     arrays);
}

void add_traces(const InteractionArgs& args, const StressArrays& arrays, Position* position, const Range& seen,
                cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    launch_ahead(args.pairs.fluid.phases ? pressure_kernel<true> : pressure_kernel<false>,
                 blocks_for(size_of(seen), gather_block), gather_block, stream, "pressures of the stresses", args,
                 arrays, position, seen);
}

void diverge_stresses(const InteractionArgs& args, const ListView& lists, const StressArrays& arrays,
                      cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const sph::Constants& c = args.step.run;
    with_fluid_search(lists, [&]<class Fluid>(Fluid) {
        sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
            divergence_kernel<Fluid, Kernel><<<gather_blocks(args), gather_block, 0, stream>>>(
                args, GatherConstants<sph::StressDivergence<Kernel>>(c), lists, arrays);
        });
    });
    check_launch("force of the stresses");
}

} // namespace sluice::cuda

// SPDX-License-Identifier: Apache-2.0
#include "cuda/passes/apparent_viscosity.h"

#include "cuda/device/host_copies.h"
#include "cuda/pairs/gather_kernels.cuh"
#include "physics/sph/apparent_viscosity.h"

namespace sluice::cuda {

namespace {

template <class Fluid, class Kernel>
__global__ void __launch_bounds__(gather_block, gather_blocks_at_once<Fluid>)
    viscosity_kernel(const __grid_constant__ InteractionArgs args,
                     const __grid_constant__ GatherConstants<sph::VelocityGradient<Kernel>> constants, ListView lists,
                     const std::uint32_t* id, ViscosityArrays arrays, float greatest_rate) {
    __shared__ typename Fluid::Shared shared;
    std::uint32_t i;
    const bool valid = has_fluid_particle(args, i);
    const auto sums = gather_sums<Fluid>(args, lists, shared, constants, FlowSides{args.view.flow}, i, valid);
    const std::uint32_t k = i - args.step.boundary_count;
    float viscosity = 0;
    if (valid) {
        const FluidLaw& law = arrays.laws[arrays.groups.phase_of(id[i]) - 1];
        viscosity = sph::apparent_viscosity(law.rheology, sph::rate_of_strain(sums.of), greatest_rate);
        arrays.viscosity[k] = law.density_ratio * viscosity; // what forces count
    } else if (args.control->active && i < args.control->alive)
        arrays.viscosity[k] = 0; // lists of others may contain the place of a particle that left
    raise_maximum(&args.control->viscosity_bits, viscosity);
}

template <class Fluid, class Kernel>
__global__ void __launch_bounds__(gather_block, gather_blocks_at_once<Fluid>)
    viscous_force_kernel(const __grid_constant__ InteractionArgs args,
                         const __grid_constant__ GatherConstants<sph::ViscousForce<Kernel>> constants, ListView lists,
                         const __grid_constant__ ViscousSides sides, Vec3f* acceleration) {
    __shared__ typename Fluid::Shared shared;
    std::uint32_t i;
    const bool valid = has_fluid_particle(args, i);
    const auto sums = gather_sums<Fluid>(args, lists, shared, constants, sides, i, valid);
    if (valid) acceleration[i - args.own_first] = {sums.of[0], sums.of[1], sums.of[2]};
}

} // namespace

ApparentViscosity::ApparentViscosity(const RunSetup& setup, std::uint32_t fluid, DeviceMemory& memory) {
    if (setup.constants.viscosity != sph::ViscosityModel::apparent || fluid == 0) return;
    constexpr const char* what = "viscosities of the fluid";
    const std::vector<std::uint32_t> first = first_ids_of_fluids(setup.groups);
    std::vector<FluidLaw> laws;
    for (std::size_t k = 0; k < setup.rheologies.size(); ++k)
        laws.push_back({setup.rheologies[k], float(setup.density_ratio_of(first[k]))});
    first_id_ = {memory, first.size(), what};
    laws_ = {memory, laws.size(), what};
    viscosity_ = {memory, fluid, what};
    acceleration_ = {memory, fluid, what};
    upload(first, first_id_.data());
    upload(laws, laws_.data());
    arrays_ = {{first_id_.data(), static_cast<std::uint32_t>(first.size())},
               laws_.data(),
               viscosity_.data(),
               acceleration_.data()};
}

void find_viscosities(const InteractionArgs& args, const ListView& lists, const std::uint32_t* id,
                      const ViscosityArrays& arrays, cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const sph::Constants& c = args.step.run;
    with_fluid_search(lists, [&]<class Fluid>(Fluid) {
        sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
            viscosity_kernel<Fluid, Kernel><<<gather_blocks(args), gather_block, 0, stream>>>(
                args, GatherConstants<sph::VelocityGradient<Kernel>>(c), lists, id, arrays,
                float(sph::greatest_rate(c)));
        });
    });
    check_launch("viscosities of the fluid");
}

void find_viscous_forces(const InteractionArgs& args, const ListView& lists, const ViscosityArrays& arrays,
                         cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const sph::Constants& c = args.step.run;
    const ViscousSides sides{args.view.flow, arrays.viscosity, args.step.boundary_count};
    with_fluid_search(lists, [&]<class Fluid>(Fluid) {
        sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
            viscous_force_kernel<Fluid, Kernel><<<gather_blocks(args), gather_block, 0, stream>>>(
                args, GatherConstants<sph::ViscousForce<Kernel>>(c), lists, sides, arrays.acceleration);
        });
    });
    check_launch("force of the viscosity");
}

} // namespace sluice::cuda

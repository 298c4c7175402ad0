// SPDX-License-Identifier: Apache-2.0
#include "cuda/passes/renormalised_diffusion.h"

#include "cuda/pairs/gather_kernels.cuh"
#include "physics/sph/renormalised_diffusion.h"

namespace sluice::cuda {

namespace {

/// What the diffusion reads of fluid particle j.
struct GradientSides {
    const DensityGradientRecord* gradients;
    std::uint32_t first; ///< index of the first fluid particle

    template <class Op>
    SLUICE_INLINE sph::FlowSide<float> of(std::uint32_t j) const {
        const DensityGradientRecord g = load16(gradients + (j - first));
        return {g.x, g.y, g.z, g.rho};
    }
};

template <class Fluid, class Kernel>
__global__ void __launch_bounds__(gather_block, gather_blocks_at_once<Fluid>)
    gradient_kernel(const __grid_constant__ InteractionArgs args,
                    const __grid_constant__ GatherConstants<sph::DensityGradient<Kernel>> constants, ListView lists,
                    DensityGradientRecord* gradients) {
    __shared__ typename Fluid::Shared shared;
    std::uint32_t i;
    const bool valid = has_fluid_particle(args, i);
    const auto sums = gather_sums<Fluid>(args, lists, shared, constants, FlowSides{args.view.flow}, i, valid);
    const std::uint32_t k = i - args.step.boundary_count;
    if (!valid) { // lists of others may contain the place of a particle that left: its value is multiplied with zero
        if (args.control->active && i < args.control->alive) gradients[k] = {0, 0, 0, 1};
        return;
    }
    const Vec3f g = sph::renormalised_gradient(args.step.run.two_d, sums.of);
    gradients[k] = {g.x, g.y, g.z, args.view.flow[i].rho};
}

template <class Fluid, class Kernel>
__global__ void __launch_bounds__(gather_block, gather_blocks_at_once<Fluid>)
    diffusion_kernel(const __grid_constant__ InteractionArgs args,
                     const __grid_constant__ GatherConstants<sph::RenormalisedDiffusion<Kernel>> constants,
                     ListView lists, const __grid_constant__ GradientSides sides) {
    __shared__ typename Fluid::Shared shared;
    std::uint32_t i;
    const bool valid = has_fluid_particle(args, i);
    const auto sums = gather_sums<Fluid>(args, lists, shared, constants, sides, i, valid);
    if (valid) args.rates[i].rho += sums.of[0];
}

} // namespace

RenormalisedDiffusion::RenormalisedDiffusion(const sph::Constants& constants, std::uint32_t fluid,
                                             DeviceMemory& memory) {
    if (constants.diffusion != sph::DensityDiffusion::renormalised || fluid == 0) return;
    gradients_ = {memory, fluid, "gradients of the density"};
}

void find_density_gradients(const InteractionArgs& args, const ListView& lists, DensityGradientRecord* gradients,
                            cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const sph::Constants& c = args.step.run;
    with_fluid_search(lists, [&]<class Fluid>(Fluid) {
        sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
            gradient_kernel<Fluid, Kernel><<<gather_blocks(args), gather_block, 0, stream>>>(
                args, GatherConstants<sph::DensityGradient<Kernel>>(c), lists, gradients);
        });
    });
    check_launch("gradients of the density");
}

void diffuse_densities(const InteractionArgs& args, const ListView& lists, const DensityGradientRecord* gradients,
                       cudaStream_t stream) {
    if (args.particles <= args.own_first) return;
    const sph::Constants& c = args.step.run;
    const GradientSides sides{gradients, args.step.boundary_count};
    with_fluid_search(lists, [&]<class Fluid>(Fluid) {
        sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
            diffusion_kernel<Fluid, Kernel><<<gather_blocks(args), gather_block, 0, stream>>>(
                args, GatherConstants<sph::RenormalisedDiffusion<Kernel>>(c), lists, sides);
        });
    });
    check_launch("density diffusion");
}

} // namespace sluice::cuda

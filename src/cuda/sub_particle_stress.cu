// SPDX-License-Identifier: Apache-2.0
#include "cuda/sub_particle_stress.h"

#include "cuda/block_size.cuh"
#include "cuda/gather_loops.h"
#include "physics/sph/sub_particle_stress.h"

namespace sluice::cuda {

namespace {

constexpr int block = 128;

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

/// Whether this thread has a fluid particle that is still in the run; `i`: its index.
__device__ bool has_particle(const InteractionArgs& args, std::uint32_t& i) {
    i = args.step.boundary_count + blockIdx.x * block + threadIdx.x;
    return args.control->active && i < args.particles && args.view.cell[i] != args.step.excluded_cell;
}

template <class Kernel>
__global__ void stress_kernel(const __grid_constant__ InteractionArgs args,
                              const __grid_constant__ GatherConstants<sph::VelocityGradient<Kernel>> constants,
                              StressArrays arrays) {
    std::uint32_t i;
    if (!has_particle(args, i)) return;
    const auto sums = gather_sums(args.view, constants, FlowSides{args.view.flow}, args.period, i);
    const auto s = sph::sub_particle_stress(args.step.run, sums.of, args.view.flow[i].rho);
    const std::uint32_t k = i - args.step.boundary_count;
    arrays.stress[k] = {s.xx, s.zz, s.xy, s.xz};
    arrays.rest[k] = {s.yz, s.pressure_term};
}

template <class Kernel>
__global__ void divergence_kernel(const __grid_constant__ InteractionArgs args,
                                  const __grid_constant__ GatherConstants<sph::StressDivergence<Kernel>> constants,
                                  StressArrays arrays) {
    std::uint32_t i;
    if (!has_particle(args, i)) return;
    const auto sums = gather_sums(args.view, constants, StressSides{arrays, args.step.boundary_count}, args.period, i);
    arrays.acceleration[i - args.step.boundary_count] = {sums.of[0], sums.of[1], sums.of[2]};
}

__global__ void pressure_kernel(const __grid_constant__ InteractionArgs args, StressArrays arrays, Position* position) {
    std::uint32_t i;
    if (has_particle(args, i)) position[i].pressure_term += arrays.rest[i - args.step.boundary_count].pressure_term;
}

} // namespace

SubParticleStress::SubParticleStress(const sph::Constants& constants, std::uint32_t fluid, DeviceMemory& memory) {
    if (constants.viscosity != sph::ViscosityModel::laminar_sps || fluid == 0) return;
    constexpr const char* what = "stresses of the fluid";
    stress_ = {memory, fluid, what};
    rest_ = {memory, fluid, what};
    acceleration_ = {memory, fluid, what};
}

void find_stresses(const InteractionArgs& args, const StressArrays& arrays, Position* position, cudaStream_t stream) {
    const sph::Constants& c = args.step.run;
    const unsigned blocks = blocks_for(args.particles - args.step.boundary_count, block);
    sph::with_kernel(c.kernel, [&]<class Kernel>(Kernel) {
        stress_kernel<Kernel>
            <<<blocks, block, 0, stream>>>(args, GatherConstants<sph::VelocityGradient<Kernel>>(c), arrays);
        divergence_kernel<Kernel>
            <<<blocks, block, 0, stream>>>(args, GatherConstants<sph::StressDivergence<Kernel>>(c), arrays);
    });
    pressure_kernel<<<blocks, block, 0, stream>>>(args, arrays, position);
    check_launch("stresses of the fluid");
}

} // namespace sluice::cuda

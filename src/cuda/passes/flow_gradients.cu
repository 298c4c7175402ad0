// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/runtime.h"
#include "cuda/passes/flow_gradients.h"

#include "cuda/device/block_size.cuh"
#include "cuda/pairs/gather_loops.h"

#include <algorithm>

namespace sluice::cuda {

namespace {

constexpr int block = 128;

/// Sums of the fluid particles with ids [first_id, first_id + ids) to sums[id − first_id], one thread a particle.
template <class Op>
__global__ void gather_kernel(const __grid_constant__ FlowGradientSource source,
                              const __grid_constant__ GatherConstants<Op> constants, std::uint32_t first_id,
                              std::uint32_t ids, GatherSums<Op>* sums) {
    const std::uint32_t i = source.view.boundary_count + blockIdx.x * block + threadIdx.x;
    if (i >= source.particles || source.view.cell[i] == source.excluded_cell) return;
    const std::uint32_t slot = (source.id ? source.id[i] : i) - first_id;
    if (slot < ids) sums[slot] = gather_sums<Op>(source.view, constants, FlowSides{source.view.flow}, source.period, i);
}

template <class Op>
void gather(const FlowGradientSource& source, const sph::Constants& constants, float* by_id, cudaStream_t stream) {
    const GatherConstants<Op> pairs(constants);
    const std::uint32_t fluid = source.particles - source.view.boundary_count;
    auto* const sums = reinterpret_cast<GatherSums<Op>*>(source.spare.as<RateRecord>());
    const auto part = static_cast<std::uint32_t>(source.spare_count * sizeof(RateRecord) / sizeof(GatherSums<Op>));
    if (fluid == 0) return;
    for (std::uint32_t first = 0; first < source.ids; first += part) {
        const std::uint32_t ids = std::min(part, source.ids - first);
        gather_kernel<Op><<<blocks_for(fluid, block), block, 0, stream>>>(source, pairs, first, ids, sums);
        check_launch("derived fields");
        copy_to_host(by_id + std::size_t(first) * Op::sum_count, sums, ids * sizeof(GatherSums<Op>), stream,
                     "copying derived fields from the GPU");
    }
    wait_for(stream, "derived fields");
}

} // namespace

std::vector<float> flow_gradients_by_id(const FlowGradientSource& source, const sph::Constants& constants,
                                        cudaStream_t stream) {
    std::vector<float> by_id(std::size_t(source.ids) * sph::flow_gradient_sums);
    if (source.particles < 2) return by_id; // no neighbours, and no room for a whole set of sums
    sph::with_kernel(constants.kernel, [&]<class Kernel>(Kernel) {
        gather<sph::FlowGradients<Kernel>>(source, constants, by_id.data(), stream);
    });
    return by_id;
}

} // namespace sluice::cuda

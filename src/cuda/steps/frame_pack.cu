// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/block_size.cuh"
#include "cuda/device/runtime.h"
#include "cuda/steps/frame_pack.h"

namespace sluice::cuda {

namespace {

constexpr int block = 256;

__global__ void pack_kernel(const __grid_constant__ FramePackArgs args, FramePosition* position, Flow* flow) {
    const std::uint32_t i = blockIdx.x * block + threadIdx.x;
    if (i >= args.particles) return;
    const std::uint32_t slot = args.state.id[i] - args.first_id, cell = args.cell[i];
    if (slot >= args.ids || cell == args.excluded_cell) return;
    if (position) {
        const Position p = args.state.position[i];
        position[slot] = {p.x, p.y, p.z, cell};
    }
    if (flow) flow[slot] = args.state.flow[i];
}

} // namespace

void pack_frame(const FramePackArgs& args, FramePosition* position, Flow* flow, cudaStream_t stream) {
    static_assert(FramePosition::absent == 0xffffffffu, "what memset writes below");
    if (position) fill(position, 0xff, args.ids * sizeof(FramePosition), stream, "copy of a frame");
    if (args.particles == 0) return;
    pack_kernel<<<blocks_for(args.particles, block), block, 0, stream>>>(args, position, flow);
    check_launch("copy of a frame");
}

} // namespace sluice::cuda

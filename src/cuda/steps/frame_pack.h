// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/views.h"

namespace sluice::cuda {

/// A position of a frame: units modulo 2³², and the cell that says which multiple.
struct alignas(16) FramePosition {
    std::int32_t x, y, z;
    std::uint32_t cell;

    static constexpr std::uint32_t absent = 0xffffffffu; ///< the cell of ids that have left the run
};

/// What a frame takes from the state, and the ids [first, first + count) that it takes.
struct FramePackArgs {
    ParticleArrays state;
    const std::uint32_t* cell = nullptr;
    std::uint32_t particles = 0;
    std::uint32_t excluded_cell = 0;
    std::uint32_t first_id = 0, ids = 0;
};

/// position[id − first_id] and flow[id − first_id] of every particle in the run; what is null is left out. Where no
/// particle has the id, the position is marked absent and the flow is not written.
void pack_frame(const FramePackArgs& args, FramePosition* position, Flow* flow, cudaStream_t stream);

} // namespace sluice::cuda

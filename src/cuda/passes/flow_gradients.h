// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/grid_period.h"
#include "cuda/data/views.h"
#include "model/constants.h"
#include <vector>

namespace sluice::cuda {

/// The particles of a frame and where their neighbours are found.
struct FlowGradientSource {
    InteractionView view;
    GridPeriod period;
    const std::uint32_t* id = nullptr; ///< null: the particles are numbered as they lie
    std::uint32_t particles = 0;
    std::uint32_t excluded_cell = 0;
    std::uint32_t ids = 0; ///< all that occur, or so numbered
    SpareRecords spare;    ///< to be written over
    std::uint32_t spare_count = 0;
};

/// The sums of sph::FlowGradients by id, `flow_gradient_sums` numbers each; those of ids that no fluid particle has
/// mean nothing. They come through the spare memory, in parts if need be, and the call waits for them.
std::vector<float> flow_gradients_by_id(const FlowGradientSource& source, const sph::Constants& constants,
                                        cudaStream_t stream);

} // namespace sluice::cuda

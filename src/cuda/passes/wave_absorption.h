// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/data/surface_fractions.h"
#include "cuda/pairs/interaction.h"
#include "cuda/passes/rigid_objects.h"

namespace sluice::cuda {

/// How much fluid is at the check points of the gauges before pistons that absorb waves, where this device answers for
/// them: by the sorted fluid. `one_cell_travel` as for react_on_bodies().
void look_at_gauges(const InteractionArgs& args, const RigidView& rigid, float one_cell_travel, cudaStream_t stream);
/// What another device has found for those in its rows.
void take_fractions(const InteractionArgs& args, const RigidView& rigid, const FoundFractions& found,
                    cudaStream_t stream);
/// How those pistons move on from now.
void absorb_waves(const Control* control, const RigidView& rigid, cudaStream_t stream);

} // namespace sluice::cuda

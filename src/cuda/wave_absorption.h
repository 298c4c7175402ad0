// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda/interaction.h"
#include "cuda/rigid_objects.h"

namespace sluice::cuda {

/// How the pistons that absorb waves move on from now: looks at the gauges before them in the sorted fluid.
/// `one_cell_travel` as for sum_body_loads().
void absorb_waves(const InteractionArgs& args, const RigidView& rigid, float one_cell_travel, cudaStream_t stream);

} // namespace sluice::cuda

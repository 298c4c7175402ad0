// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/gather.h"

namespace sluice::cpu {

/// The interaction on the vector unit, for γ = 7, compiled for one level of x86-64 each. The caller owns the result,
/// and must have made sure that the processor has the level.
Interaction* make_interaction_v2(const sph::Constants& constants);
Interaction* make_interaction_v3(const sph::Constants& constants);
Interaction* make_interaction_v4(const sph::Constants& constants);

/// sph::FlowGradients on the vector unit, likewise.
Gather* make_flow_gradients_v2(const sph::Constants& constants);
Gather* make_flow_gradients_v3(const sph::Constants& constants);
Gather* make_flow_gradients_v4(const sph::Constants& constants);

} // namespace sluice::cpu

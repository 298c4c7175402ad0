// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/gather.h"
#include "cpu/pairs/ghost_gather.h"
#include "model/fluids.h"

namespace sluice::cpu {

/// The interaction on the vector unit, for γ = 7, compiled for one level of x86-64 each, or for NEON: a build has the
/// ones or the other. The caller owns the result, and must have made sure that the processor has the level.
Interaction* make_interaction_neon(const sph::Constants& constants, const Fluids& fluids, sph::RatesPart part);
Interaction* make_interaction_v2(const sph::Constants& constants, const Fluids& fluids, sph::RatesPart part);
Interaction* make_interaction_v3(const sph::Constants& constants, const Fluids& fluids, sph::RatesPart part);
Interaction* make_interaction_v4(const sph::Constants& constants, const Fluids& fluids, sph::RatesPart part);

/// An operator summed up on the vector unit, likewise.
Gather* make_gather_neon(GatherOperator which, const sph::Constants& constants);
Gather* make_gather_v2(GatherOperator which, const sph::Constants& constants);
Gather* make_gather_v3(GatherOperator which, const sph::Constants& constants);
Gather* make_gather_v4(GatherOperator which, const sph::Constants& constants);

/// The sums of ghost nodes, likewise.
GhostGather* make_ghost_gather_neon(bool with_velocity, const sph::Constants& constants);
GhostGather* make_ghost_gather_v2(bool with_velocity, const sph::Constants& constants);
GhostGather* make_ghost_gather_v3(bool with_velocity, const sph::Constants& constants);
GhostGather* make_ghost_gather_v4(bool with_velocity, const sph::Constants& constants);

} // namespace sluice::cpu

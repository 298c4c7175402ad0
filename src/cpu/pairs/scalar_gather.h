// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/gather.h"
#include "cpu/pairs/ghost_gather.h"
#include <memory>

namespace sluice::cpu {

/// An operator summed up one pair at a time.
std::unique_ptr<Gather> make_scalar_gather(GatherOperator which, const sph::Constants& constants);

/// The sums of ghost nodes, likewise.
std::unique_ptr<GhostGather> make_scalar_ghost_gather(bool with_velocity, const sph::Constants& constants);

} // namespace sluice::cpu

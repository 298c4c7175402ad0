// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/pairs/gather.h"
#include "cpu/pairs/ghost_gather.h"
#include "model/fluids.h"
#include <memory>
#include <string>

namespace sluice::cpu {

/// The interaction for a level of `simd_levels()` that is available, with all rates of the pairs or a part of them.
std::unique_ptr<Interaction> make_interaction(const std::string& simd, const sph::Constants& constants,
                                              const Fluids& fluids, sph::RatesPart part);

/// The sums of an operator for such a level.
std::unique_ptr<Gather> make_gather(const std::string& simd, GatherOperator which, const sph::Constants& constants);

/// The sums of ghost nodes, with or without those of the velocity, for such a level.
std::unique_ptr<GhostGather> make_ghost_gather(const std::string& simd, bool with_velocity,
                                               const sph::Constants& constants);

} // namespace sluice::cpu

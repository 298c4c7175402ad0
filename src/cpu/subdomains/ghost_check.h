// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/subdomains/halo.h"

namespace sluice::cpu {

/// Debugging aid: throws RunError if a ghost of a sorted group is not bit by bit what its particle is, wherever that
/// is, if a ghost is missing or out of order, or if two ranks have the same particle. All ranks make the call; each
/// sends all it has to all others.
void require_true_ghosts(Transport& transport, const RankMap& map, const Space& space, const SortedGroup& group);

} // namespace sluice::cpu

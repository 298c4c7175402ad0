// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/particles/particles.h"
#include "cpu/subdomains/halo.h"
#include "model/run_setup.h"
#include <vector>

namespace sluice::cpu {

/// The states of the pistons that absorb waves from now on, at `time` (s), from those before: looks at the gauges
/// before them in the sorted fluid. `first`: index of the fluid's first record.
std::vector<AbsorberState> absorbed_now(const RunSetup& setup, const Space& space, const SortedGroup& fluid,
                                        std::uint32_t first, Halo& halo, std::vector<AbsorberState> states,
                                        double time);

} // namespace sluice::cpu

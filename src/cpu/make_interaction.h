// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/gather.h"
#include <memory>
#include <string>

namespace sluice::cpu {

/// The interaction for a level of `simd_levels()` that is available.
std::unique_ptr<Interaction> make_interaction(const std::string& simd, const sph::Constants& constants);

/// The sums of an operator for such a level.
std::unique_ptr<Gather> make_gather(const std::string& simd, GatherOperator which, const sph::Constants& constants);

} // namespace sluice::cpu

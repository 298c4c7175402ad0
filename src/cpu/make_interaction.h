// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/gather.h"
#include <memory>
#include <string>

namespace sluice::cpu {

/// The interaction for a level of `simd_levels()` that is available.
std::unique_ptr<Interaction> make_interaction(const std::string& simd, const sph::Constants& constants);

/// The sums of sph::FlowGradients for such a level.
std::unique_ptr<Gather> make_flow_gradients(const std::string& simd, const sph::Constants& constants);

} // namespace sluice::cpu

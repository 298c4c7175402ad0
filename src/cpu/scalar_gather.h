// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cpu/gather.h"
#include <memory>

namespace sluice::cpu {

/// sph::FlowGradients one pair at a time.
std::unique_ptr<Gather> make_scalar_flow_gradients(const sph::Constants& constants);

} // namespace sluice::cpu

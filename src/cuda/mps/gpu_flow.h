// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/flow/flow.h"
#include <memory>

namespace sluice::cuda {

/// A flow by MPS on a GPU; ids below `walls` are those of walls. RunError for a device that cannot be used.
std::unique_ptr<mps::Flow> make_mps_flow(const sph::Constants& constants, std::uint32_t walls, int device = 0);

} // namespace sluice::cuda

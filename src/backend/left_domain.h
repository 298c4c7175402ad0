// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "model/run_setup.h"

namespace sluice {

/// The error that ends a run in which boundary particle `id` has moved out of the domain by `time` (s).
RunError left_domain(const RunSetup& setup, std::uint32_t id, double time);

} // namespace sluice

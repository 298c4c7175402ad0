// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "model/run_setup.h"
#include <vector>

namespace sluice {

/// Warns of walls that leave the domain by their prescribed motion before the run ends, with the time: a run stops
/// there. Looks at a thousand times, so that a short way out and back may be missed.
void lint_moving_walls(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics);

} // namespace sluice

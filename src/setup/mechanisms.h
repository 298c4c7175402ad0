// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "model/run_setup.h"
#include <vector>

namespace sluice {

/// The joints of special/chrono: mechanisms, which body belongs to which, and what collides. After the bodies and the
/// motions. InputError for a joint that its case cannot have, or for a body without particles.
void add_mechanisms(const Case& definition, RunSetup& setup);

/// Tells of joints whose equations repeat those of others, of mechanisms that cannot move, and of springs that are so
/// stiff that they take sub-steps.
void lint_mechanisms(const Case& definition, const RunSetup& setup, std::vector<Diagnostic>& diagnostics);

} // namespace sluice

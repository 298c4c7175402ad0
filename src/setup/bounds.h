// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "model/run_setup.h"
#include <vector>

namespace sluice {

/// Values of a case outside of what can work (errors) or of what is wise (warnings), each with its place and the
/// reason.
std::vector<Diagnostic> check_bounds(const Case& definition, const sph::Constants& constants);

/// Throws InputError if the domain has more cells than can be counted. `h`: smoothing length, m.
void require_countable_cells(const Case& definition, const Domain& domain, double h);

/// Throws InputError with all errors among the diagnostics.
void throw_errors(const std::vector<Diagnostic>& diagnostics);

} // namespace sluice

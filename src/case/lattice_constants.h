// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"

// Constants of a case that follow from its lattice.

namespace sluice {

/// Smoothing length, m: h, hdp·dp, or coefh·√dim·dp.
double smoothing_length_of(const Case& the_case);

/// rho0·dp^dim, kg (kg/m in 2-D): what a particle of the lattice stands for.
double lattice_mass_of(const Case& the_case);

} // namespace sluice

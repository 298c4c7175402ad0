// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/solver.h"
#include <memory>

namespace sluice::cuda {

/// The solver on the first GPU. It searches by cells, whatever the radii.
std::unique_ptr<sluice::fvpm::Solver> make_fvpm_solver(const FvpmConstants& constants);

} // namespace sluice::cuda

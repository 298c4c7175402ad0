// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/fvpm/solver.h"
#include <memory>

namespace sluice::cuda {

/// The solver on a GPU. It searches by cells, whatever the radii. RunError for a device that cannot be used.
std::unique_ptr<sluice::fvpm::Solver> make_fvpm_solver(const FvpmConstants& constants, int device = 0);

} // namespace sluice::cuda

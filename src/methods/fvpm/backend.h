// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/modes.h"
#include "methods/fvpm/solver.h"
#include <functional>
#include <memory>

namespace sluice::fvpm {

/// On what a run is computed.
struct Device {
    std::string backend;    ///< "cpu" or "cuda"
    std::string name;       ///< of the processor or GPU
    std::string arithmetic; ///< instruction set, or GPU architecture
    int threads = 1;        ///< of the host
    std::function<std::unique_ptr<Solver>(const FvpmConstants&)> make_solver;
};

/// The backend of runs with finite volume particles, on any device that has a solver. Particles keep their walls and
/// radii; steps are those of the solver, whole ones, so that where `advance` stops changes no number. The solver's
/// order is that of the state, whose section holds what a state of SPH lacks: masses, volumes, velocities and motions
/// in double precision. Fluid that leaves the domain or whose density passes RhopOutMax is taken out.
std::unique_ptr<Backend> make_backend(const RunSetup& setup, const Device& device);

/// Memory of a run on a processor, for each particle: what a solver holds, with as many neighbours as in a lattice.
MemoryModel memory_model(const sph::Constants& constants);

} // namespace sluice::fvpm

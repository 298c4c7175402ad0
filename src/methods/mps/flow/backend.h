// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/modes.h"
#include "methods/mps/flow/flow.h"
#include <functional>
#include <memory>
#include <string>

namespace sluice::mps {

/// On what a run is computed.
struct Device {
    std::string backend;    ///< "cpu" or "cuda"
    std::string name;       ///< of the processor or GPU
    std::string arithmetic; ///< instruction set, or GPU architecture
    int threads = 1;        ///< of the host
    /// The flow there; ids below `walls` are those of walls.
    std::function<std::unique_ptr<Flow>(const sph::Constants&, std::uint32_t walls)> make_flow;
};

/// The backend of runs by MPS, on any device that has the passes of a flow (step.h). The time step is
///
///   Δt = CFL min(h/(c0 + max|v|), sqrt(h/max|dv/dt|)), and what viscosity allows (sph::viscous_time_step)
///
/// States hold particles by ascending id; their section has velocities and densities in double precision. Fluid that
/// leaves the domain, or whose density leaves RhopOutMin…RhopOutMax, is taken out.
std::unique_ptr<Backend> make_backend(const RunSetup& setup, const Device& device);

/// Memory of a run: on a processor, then on a GPU.
std::vector<MemoryModel> memory_models();

} // namespace sluice::mps

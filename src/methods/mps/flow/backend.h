// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "backend/backend.h"
#include "backend/modes.h"
#include "methods/mps/flow/flow.h"
#include <memory>
#include <string>

namespace sluice::mps {

/// The processor on which a run is computed.
struct Processor {
    std::string name;
    FlowOptions options;
};

/// The backend of runs by MPS on a processor: a step is that of `Flow`, its time step
///
///   Δt = CFL min(h/(c0 + max|v|), sqrt(h/max|dv/dt|)), and what viscosity allows (sph::viscous_time_step)
///
/// States hold particles by ascending id; their section has velocities and densities in double precision. Fluid that
/// leaves the domain, or whose density leaves RhopOutMin…RhopOutMax, is taken out.
std::unique_ptr<Backend> make_backend(const RunSetup& setup, const Processor& processor);

/// Memory of a run on a processor.
MemoryModel memory_model();

} // namespace sluice::mps

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "methods/mps/evaluate.h"
#include "methods/mps/flow/pairs.h"

namespace sluice::mps {

/// The flow at the sorted particles of a search; arrays have ParticleSearch::padding numbers more.
struct FlowArrays {
    std::vector<double> vx, vy, vz, rho, p, fluid;
    // what sweeps leave: rates of the fluid, pressures of walls
    std::vector<double> rho_rate, fullness, ax, ay, az, wall_p;

    void resize(std::size_t particles);
};

/// One sweep over the particles.
struct FlowSweep {
    const ParticleSearch& search;
    const FlowScale& scale;
    FlowArrays& flow;
    int threads = 1;
};

/// The loops over neighbours, for some number of pairs at a time. Each particle's sums are made by one thread in one
/// order, so threads do not change results.
struct FlowLoops {
    void (*walls)(const FlowSweep&);      ///< pressures of walls
    void (*continuity)(const FlowSweep&); ///< dρ/dt of the fluid
    void (*motion)(const FlowSweep&);     ///< dv/dt of the fluid
};

FlowLoops scalar_flow_loops();
FlowLoops vector_flow_loops_v3();
FlowLoops vector_flow_loops_v4();

/// Those for so many lanes, which the processor must have.
FlowLoops flow_loops(Lanes lanes);

} // namespace sluice::mps

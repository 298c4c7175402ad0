// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "model/fluids.h"
#include "model/rheology.h"
#include <optional>

namespace sluice {

/// special/nnphases/phase: what a fluid is made of.
struct FluidPhase {
    SourceLocation where;
    int mkfluid = 0;
    Rheology rheology;
    std::optional<double> rho0, sound_speed, gamma; ///< where it says them; else those of the constants
};

/// One of several fluids, of special/nnphases or of casedef/properties.
struct FluidDef {
    SourceLocation where;
    int mkfluid = 0;
    FluidProperties of; ///< `c0` 0: that of the run; `cohesion` is not known yet
    bool is_gas = false;
};

} // namespace sluice

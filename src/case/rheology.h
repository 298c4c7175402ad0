// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "model/rheology.h"

namespace sluice {

/// special/nnphases/phase: what a fluid is made of.
struct FluidPhase {
    SourceLocation where;
    int mkfluid = 0;
    Rheology rheology;
};

} // namespace sluice

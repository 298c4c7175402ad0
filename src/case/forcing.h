// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "model/forcing.h"
#include <string>
#include <vector>

namespace sluice {

/// special/accinputs/accinput: accelerations of the fluid of some mk in time.
struct AccelerationInputDef {
    SourceLocation where;
    std::vector<int> mkfluid;
    double start = 0, end = std::numeric_limits<double>::infinity(); ///< s
    Vec3d centre;                                                    ///< m
    bool gravity = true;                                             ///< whether that of the case acts, too
    std::string file;                        ///< inside the data folder of the case, or "": the samples are here
    std::vector<AccelerationSample> samples; ///< without integrals
};

} // namespace sluice

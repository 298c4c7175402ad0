// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/waves.h"
#include "core/error.h"
#include "model/forcing.h"
#include <optional>
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
    std::optional<Rotation> rotation;        ///< none: of_frame, and the case does not say so
};

/// rzwaves_external_1d: velocities of another model, a file for each x.
struct ExternalWaves {
    std::vector<std::string> files_x, files_z; ///< inside the data folder; the latter only where z is wanted, too
    Vec3d move;                                ///< of all places, m
    double step = 0;                           ///< between key points in z, m
    int smooth = 0;                            ///< key points above and below that a value is the mean of
    double ignored = 0;                        ///< driftinitialramp: time at the start that is left out of the drift, s
};

/// special/relaxationzones: one zone.
struct RelaxationDef {
    SourceLocation where;
    RelaxationZone zone;             ///< without what follows from the waves, with places as the case has them
    WavePaddle waves;                ///< of a zone of waves: those that a paddle would make
    double drift = 0;                ///< driftcorrection: share of the waves' drift that is taken away
    std::vector<SpeedSample> speeds; ///< of a zone of uniform velocity
    std::optional<ExternalWaves> external;
};

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include <string>
#include <vector>

namespace sluice {

/// The velocities that layers of a piston move with, of one y.
struct LayerData {
    std::string file;      ///< inside the data folder
    double y = 0;          ///< m
    double first_time = 0; ///< of the data, when the run begins, s
};

/// special/mlayerpistons: a wall whose layers move along x each with a velocity of its own.
struct LayeredPiston {
    SourceLocation where;
    int mkbound = 0;
    double raised = 0;              ///< incz: added to the heights of the data, m
    int smooth_z = 0, smooth_y = 0; ///< layers on either side that a velocity is the mean of
    std::vector<LayerData> data;    ///< by ascending y; of a piston1d one
};

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/box.h"
#include "model/constants.h"
#include "model/motion_data.h"
#include "model/particle_groups.h"
#include "model/period.h"

namespace sluice {

/// The box that particles must stay in.
using Domain = Box;

/// What a backend needs to know of a run.
struct RunSetup {
    sph::Constants constants;
    Domain domain;
    Period period; ///< which sides of the domain are periodic
    ParticleGroups groups;
    Motions motions; ///< of the groups that move, places in the coordinates of the case
};

} // namespace sluice

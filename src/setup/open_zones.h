// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "core/box.h"
#include "geometry/particle_set.h"
#include "model/particle_state.h"
#include "model/run_setup.h"

namespace sluice {

/// The open boundaries of a case in absolute positions. Reads the files of velocities and surfaces. Throws InputError
/// for zones that do not lie across their direction, whose columns are closer than dp, or whose mkfluid has no
/// particles.
OpenZones make_open_zones(const Case& definition, const ParticleSet& particles);

/// `box` widened to hold the zones and half a spacing behind them, along the axes that are not periodic.
Box with_zones(Box box, const OpenZones& open, const bool (&periodic)[3]);

/// Throws InputError, with the line of the zone, where a zone reaches beyond a periodic side of the domain, which would
/// carry its fluid to the other side, or lets fluid in or out so near to one that the zone at the other side would feel
/// it.
void check_zones_inside_period(const Case& definition, const RunSetup& setup);

/// With places measured from `origin`, m.
OpenZones relative_to(OpenZones open, const Vec3d& origin);

/// Brings the fluid of the start into the zones: particles of a zone's mkfluid become its first layer, the others are
/// created; what else of the fluid lies in a zone is taken away.
void fill_open_zones(const Case& definition, const ParticleSet& particles, const RunSetup& setup, ParticleState& state);

} // namespace sluice

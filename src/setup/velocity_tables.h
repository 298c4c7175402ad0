// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "model/forcing.h"

namespace sluice {

/// Appends the velocities of an open boundary's grid (gridveldata); returns the index of its table. The file has the
/// lines `fmtversion;grid_dpx;grid_dpz;grid_nx;grid_nz;vars`, their values (`vars`: `velx`, or `velx velz`), an empty
/// line, a line of titles, and rows of a time and the velocities x by x, in each from the lowest up; those along z
/// follow. Throws InputError with the line that cannot be.
int add_velocity_grid(const Case& definition, const OpenZoneDef& zone, VelocityTables& out);

/// Appends the velocities of a zone of rzwaves_external_1d at equal steps in z, smoothed; sets the zone's table, and
/// its current against the drift of the waves. Throws InputError.
void add_external_waves(const Case& definition, const RelaxationDef& def, RelaxationZone& zone, VelocityTables& out);

/// With places measured from `origin`, m.
VelocityTables relative_to(VelocityTables tables, const Vec3d& origin);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "model/run_setup.h"

namespace sluice {

/// Reads the file of ViscoTime into `setup` and takes the greatest viscosity of it into the constants; nothing without
/// such a file. Throws InputError with the row that cannot be: times ascend, no value is negative.
void set_viscosity_in_time(const Case& definition, RunSetup& setup);

/// The greatest viscosity of the fluids of special/nnphases in a run of such a speed of sound, m²/s; 0: there are none.
double greatest_viscosity(const Case& definition, const sph::Constants& constants);
/// What each fluid group of the set-up is made of. InputError for one that special/nnphases does not name; nothing
/// without that.
void set_rheologies(const Case& definition, RunSetup& setup);

/// The zones of special/shifting with places from `origin`, m.
std::vector<ShiftZone> make_shift_zones(const Case& definition, const Vec3d& origin);

} // namespace sluice

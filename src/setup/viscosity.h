// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "model/run_setup.h"

namespace sluice {

/// Reads the file of ViscoTime into `setup` and takes the greatest viscosity of it into the constants; nothing without
/// such a file. Throws InputError with the row that cannot be: times ascend, no value is negative.
void set_viscosity_in_time(const Case& definition, RunSetup& setup);

/// The zones of special/shifting with places from `origin`, m.
std::vector<ShiftZone> make_shift_zones(const Case& definition, const Vec3d& origin);

} // namespace sluice

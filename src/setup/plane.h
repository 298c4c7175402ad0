// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"

namespace sluice {

/// Throws InputError, with its line, for what would lead the particles of a 2-D case out of the plane x–z from the
/// start: gravity, initial velocities, displacements and turns.
void require_in_plane(const Case& definition);

} // namespace sluice

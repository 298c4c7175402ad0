// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"
#include "core/box.h"

namespace sluice {

/// The simulation domain: the limits of `simulationdomain` relative to the extent [min, max] of the particles.
/// "p%" is p percent of the extent on that axis. Throws InputError if a limit lies inside out.
Box resolve_domain(const ExecutionParameters& parameters, const Vec3d& min, const Vec3d& max);

} // namespace sluice

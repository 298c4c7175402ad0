// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/case.h"

namespace sluice {

/// Adds the relaxation zones of a case to what acts on its fluid, with places from `origin`, m.
void add_relaxation_zones(const Case& definition, const Vec3d& origin, Forcing& out);

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"

namespace sluice {

/// special/shifting/shiftingzone: a box by its corner and the three sides that meet there, m.
struct ShiftZoneDef {
    Vec3d corner;
    Vec3d side[3];
};

} // namespace sluice

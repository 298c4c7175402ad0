// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"

namespace sluice {

/// A box, upright or not, in which particles are shifted; as plain data which a backend may copy to a device. A place p
/// is in it where (p − corner)·share[k] is from 0 to 1 for all three.
struct ShiftZone {
    Vec3d corner;   ///< from the domain's lower corner, m
    Vec3d share[3]; ///< 1/m; zero: the box has no limits that way

    bool operator==(const ShiftZone&) const = default;
};

} // namespace sluice

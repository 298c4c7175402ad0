// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/vec.h"

namespace sluice {

/// A box in space, m.
struct Box {
    Vec3d min, max;
};

} // namespace sluice

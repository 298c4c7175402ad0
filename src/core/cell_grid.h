// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include "core/vec.h"
#include <cmath>
#include <cstdint>

namespace sluice {

/// The regular grid of cells over the domain of a run. Cells are cubes of side 2h (the support radius) or h.
struct CellGrid {
    double cell = 0; ///< side, m
    Vec3i count;     ///< cells per axis
    int reach = 1;   ///< neighbours to search on either side: 1 for cells 2h, 2 for cells h

    SLUICE_HD std::int64_t size() const { return std::int64_t(count.x) * count.y * count.z; }
};

/// The grid that covers [min, max] with cells of side 2h/`divisions` (1 or 2); one layer thick in y for 2-D.
inline CellGrid make_cell_grid(Vec3d min, Vec3d max, double h, int divisions) {
    CellGrid grid;
    grid.cell = 2 * h / divisions;
    grid.reach = divisions;
    for (int axis = 0; axis < 3; ++axis)
        grid.count[axis] = static_cast<int>(std::floor((max[axis] - min[axis]) / grid.cell)) + 1;
    return grid;
}

} // namespace sluice

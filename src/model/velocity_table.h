// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace sluice {

/// Velocities in a plane x–z on a mesh of places, at several times: of a file that a zone of open boundaries or of
/// relaxation follows. As plain data which a backend may copy to a device; the formula is in physics/velocity_table.h.
struct VelocityTable {
    int first_time = 0, time_count = 0; ///< VelocityTables::numbers, s, ascending
    int first_x = 0, x_count = 0;       ///< likewise, m, ascending
    double z = 0, z_step = 1;           ///< of the lowest places, and from one to the next above, m
    int z_count = 0;
    bool has_z = false; ///< the vertical velocity follows the one along x
    int first_value =
        0; ///< VelocityTables::values, m/s: time by time, in each x by x, in each from the lowest place up

    int components() const { return has_z ? 2 : 1; }
    bool operator==(const VelocityTable&) const = default;
};

struct VelocityTables {
    std::vector<VelocityTable> tables;
    std::vector<double> numbers;
    std::vector<float> values;

    bool operator==(const VelocityTables&) const = default;
};

} // namespace sluice

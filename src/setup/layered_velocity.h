// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include <filesystem>
#include <vector>

namespace sluice {

/// Velocities along an upright line at several times, as models of layers of water write them.
struct LayeredVelocity {
    double x = 0, y = 0; ///< of the line, m
    struct Row {
        double time = 0;              ///< s
        std::vector<double> z, speed; ///< m, ascending; m/s

        /// Linear in z; beyond the ends the speed of the nearest place.
        double at(double height) const;
        /// ∫ speed dz from `bottom` to the highest place, m²/s.
        double flow_above(double bottom) const;
    };
    std::vector<Row> rows; ///< by ascending time

    /// Linear in time; before the first row the speed of that row, after the last row 0.
    double at(double time, double height) const;
};

/// Reads such a file: a line `px:;X;py:;Y`, a line of titles that begins with `time`, then rows of a time, the heights
/// of the places and the velocities there. `where`: the place in the case that names the file. Throws InputError that
/// names an invalid row.
LayeredVelocity read_layered_velocity(const std::filesystem::path& file, const SourceLocation& where);

} // namespace sluice

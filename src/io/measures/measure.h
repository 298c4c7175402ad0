// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/fluid/interpolator.h"
#include <filesystem>
#include <optional>
#include <vector>

namespace sluice {

/// `count` points from `from` to `to`, both included.
std::vector<Vec3d> line_points(const Vec3d& from, const Vec3d& to, double count);

/// Points of a box lattice: from min to max, `spacing` apart in each direction, x fastest.
std::vector<Vec3d> grid_points(const Vec3d& min, const Vec3d& max, const Vec3d& spacing);

/// Reads points from a text file. Either three numbers a line (after an optional word POINTS), or blocks of the word
/// POINTSLIST and three lines: first point, step, and count in x, y, z. '#' starts a comment.
/// Throws InputError with the line.
std::vector<Vec3d> read_points(const std::filesystem::path& path);

/// Which frames, and where the result goes. The suffix of `out` decides: .csv is one table of all frames, .vtp one
/// file a frame (the number goes before the suffix) and a .pvd that lists them with their times.
struct MeasureJob {
    std::filesystem::path dir;     ///< an output folder
    std::vector<Vec3d> points;     ///< m
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    int every = 1;                 ///< only each so many
    std::filesystem::path out;
    std::optional<FieldSelection> fields{}; ///< that are measured; none: those that the frames hold
    bool overwrite = false; ///< .vtp files of an earlier call that this one does not write again are removed
};

/// The fields and the fluid fraction at points, for stored frames. Those of least squares need not be stored. Returns
/// the file to open: the table, or the .pvd.
/// Throws InputError (nothing to measure, unknown suffix, a field that is not stored) and RunError.
std::filesystem::path measure(const MeasureJob& job);

/// What a table of elevations has besides the elevation.
struct ColumnValues {
    bool depth = false; ///< the sum of the layers' heights, m
    int layers = 0;     ///< of so many layers of fluid, from the lowest one up, both sides; and the number of all
};

/// Free-surface elevation above points, for stored frames, as CSV: for each point the height at which the vertical
/// through it first leaves the fluid, seen from below (see `find_surface`); z of the points is ignored. With `also`,
/// what `water_layers` finds on the vertical.
/// Throws InputError and RunError.
std::filesystem::path measure_elevation(const MeasureJob& job, const ColumnValues& also = {});

} // namespace sluice

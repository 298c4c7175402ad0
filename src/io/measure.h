// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "run/frame.h"
#include "sph/constants.h"
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// The fluid at a point. Where the kernel meets too little fluid (fraction < 0.1) the values are NaN.
struct Measurement {
    double fraction = 0; ///< φ = Σ_b (m/ρ_b) W: the part of the volume that is fluid
    Vec3d velocity;      ///< m/s
    double pressure = 0; ///< Pa
    double density = 0;  ///< kg/m³
};

/// Interpolates the fluid of one frame, kernel-corrected (Shepard): f(x) = Σ_b f_b (m/ρ_b) W / φ.
/// Boundary particles do not count. In two dimensions y does not count.
class FluidInterpolator {
public:
    FluidInterpolator(const Frame& frame, std::uint32_t boundary_count, const sph::Constants& constants);

    Measurement at(const Vec3d& point) const;

private:
    using Cell = std::int64_t;
    struct CellStart {
        Cell cell;
        std::uint32_t begin, end;
    };
    Vec3i cell_of(const Vec3d& point) const;
    static Cell key(const Vec3i& cell);

    const Frame& frame_;
    sph::Constants constants_;
    Vec3d origin_;
    std::vector<std::uint32_t> order_; ///< particles by cell
    std::vector<CellStart> cells_;     ///< occupied cells, ascending
};

/// `count` points from `from` to `to`, both included.
std::vector<Vec3d> line_points(const Vec3d& from, const Vec3d& to, int count);

/// Points of a box lattice: from min to max, `spacing` apart in each direction, x fastest.
std::vector<Vec3d> grid_points(const Vec3d& min, const Vec3d& max, const Vec3d& spacing);

/// Reads points from a text file. Either three numbers a line (after an optional word POINTS), or blocks of the word
/// POINTSLIST and three lines: first point, step, and count in x, y, z. '#' starts a comment.
/// Throws InputError with the line.
std::vector<Vec3d> read_points(const std::filesystem::path& path);

/// Which frames, and where the result goes. The suffix of `out` decides: .csv is one table of all frames, .vtp one
/// file a frame (the number goes before the suffix).
struct MeasureJob {
    std::filesystem::path dir;     ///< an output folder
    std::vector<Vec3d> points;     ///< m
    int first = 0, last = 1 << 30; ///< numbers of frames, both included
    std::filesystem::path out;
};

/// Velocity, pressure, density and fluid fraction at points, for stored frames. Returns the files written.
/// Throws InputError (nothing to measure, unknown suffix) and RunError.
std::vector<std::filesystem::path> measure(const MeasureJob& job);

/// Free-surface elevation above points, for stored frames, as CSV: for each point the height at which the vertical
/// through it first leaves the fluid, seen from below (see `find_surface`); z of the points is ignored.
/// Throws InputError and RunError.
std::vector<std::filesystem::path> measure_elevation(const MeasureJob& job);

} // namespace sluice

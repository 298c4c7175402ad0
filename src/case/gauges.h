// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "core/vec.h"
#include <optional>
#include <string>
#include <variant>

// Elements of `special/gauges`: what is measured while a run goes on, and when.

namespace sluice {

/// `swl`: the free surface along a line, from point0 to point2.
struct SurfaceLine {
    Vec3d point0, point2;     ///< m
    double point_spacing = 0; ///< between check points, m (pointdp: coefdp·dp); 0: half a particle spacing
    double mass_limit = 0.5;  ///< volume fraction at which the surface is
};

/// `velocity`: the fluid's velocity at a point.
struct VelocityPoint {
    Vec3d point; ///< m
};

/// `pressure`: the fluid's pressure and density at a point.
struct PressurePoint {
    Vec3d point; ///< m
};

/// `maxz`: the highest fluid particle near a vertical line.
struct HighestFluid {
    Vec3d point0;          ///< lower end of the line, m
    double height = 0;     ///< length of the line, m
    double distance = 0;   ///< particles closer to the line count, m …
    double distance_h = 0; ///< … plus so many smoothing lengths
};

/// `force`: what the fluid exerts on the boundary particles of one mk.
struct BoundaryForce {
    int mk_bound = 0; ///< as written in the case
};

/// `flowrate` and `flow`: volume of fluid a second through a rectangle.
struct FlowRectangle {
    Vec3d point0, point1, point2; ///< corners, m; the fourth is point1 + point2 − point0
    double spacing = 0;           ///< between sampling points along both sides, m; 0: the particle spacing
    double spacing2 = 0;          ///< along the side to point2, m; 0: the same
    Vec3d direction{};  ///< in which flow counts, unit; 0: the normal (point1 − point0) × (point2 − point0)
    double support = 0; ///< places with a smaller fraction of fluid do not count, others wholly; 0: by fraction
};

/// `mesh`: values at the points of a lattice, and the free surface along its columns.
struct MeasuringMesh {
    Vec3d origin;                                                           ///< the first point, m
    Vec3d step[3];                                                          ///< from a point to the next, m
    Vec3i count{1, 1, 1};                                                   ///< points along each step
    Vec3d direction{1, 0, 0};                                               ///< of the velocity component `along`, unit
    bool velocity = false, along = false, density = false, surface = false; ///< what is measured
    std::optional<double> support = 0.5; ///< smaller fractions of fluid give `dummy`; empty: sums without correction
    std::optional<double> dummy;         ///< empty: nan
    double mass_limit = 0.5;             ///< of the surface, as in SurfaceLine
};

/// `place`: where a point of a moving wall, a floating or a flexible body is, which it follows.
struct MaterialPlace {
    Vec3d point;          ///< at the start of the run, m
    Vec3d displacement{}; ///< from there to where it is, m
};

using GaugeKind = std::variant<SurfaceLine, VelocityPoint, PressurePoint, HighestFluid, BoundaryForce, FlowRectangle,
                               MeasuringMesh, MaterialPlace>;

/// One gauge of the case.
struct Gauge {
    SourceLocation where;
    std::string name;
    double start = 0, end = 1e300; ///< s
    double output_dt = 0;          ///< s; 0: every step
    GaugeKind kind;                ///< of one that follows something: where it is at the start of the run
    std::optional<int> follow{};   ///< mkbound of what its places move with; empty: they stay where they are
};

} // namespace sluice

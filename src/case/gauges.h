// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/error.h"
#include "core/vec.h"
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

/// `flowrate`: volume of fluid a second through a rectangle. The normal is (point1 − point0) × (point2 − point0).
struct FlowRectangle {
    Vec3d point0, point1, point2; ///< corners, m; the fourth is point1 + point2 − point0
    double spacing = 0;           ///< between sampling points, m; 0: the particle spacing
};

using GaugeKind = std::variant<SurfaceLine, VelocityPoint, PressurePoint, HighestFluid, BoundaryForce, FlowRectangle>;

/// One gauge of the case.
struct Gauge {
    SourceLocation where;
    std::string name;
    double start = 0, end = 1e300; ///< s
    double output_dt = 0;          ///< s; 0: every step
    GaugeKind kind;
};

} // namespace sluice

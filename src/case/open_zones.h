// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "case/transform.h"
#include "core/error.h"
#include "model/open_zones.h"
#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// Where the columns of a zone stand: on the particles of an mkfluid, or on a lattice of spacing dp over a line, a flat
/// box or a disc.
struct ZoneShape {
    enum class Kind { particles, line, box, circle } kind = Kind::particles;
    int mkfluid = 0;
    Vec3d point, point2; ///< of a line; the corner of a box, the middle of a circle, m
    Vec3d size;          ///< of a box, m
    double radius = 0;   ///< m
    Vec3d direction;     ///< into the domain, of any length
    Transform turn;      ///< of points and direction
};

/// imposezsurf mode 2: the surface is found in the fluid before a zone.
struct ZoneSurfaceSearch {
    std::optional<double> start;  ///< zsurf0, m; none: the zone is full at the start
    std::optional<double> lowest; ///< zsurfmin, m; none: the lowest point of the zone
    double fit = 0;               ///< zsurffit, m
};

/// jetcircle: how far before the plane a jet has which radius, m.
struct ZoneJet {
    double distance = 0, radius = 0;
};

/// special/inout/inoutzone.
struct OpenZoneDef {
    SourceLocation where;
    ZoneShape shape;
    int layers = 0;
    Refilling refilling = Refilling::below_surface;
    ZoneInput input = ZoneInput::unchanged;
    int profile = 0;                      ///< values of each velocity; 0: it is extrapolated, or from a grid
    std::vector<ZoneVelocity> velocities; ///< given in the case, or
    std::string velocity_file;            ///< inside the data folder
    std::string grid_file;                ///< likewise; its velocities stand in the place of `velocities`
    Vec3d grid_corner;                    ///< of the first point of that grid, m
    bool holds_level = false;             ///< gridresetvelz: the vertical velocity of the grid moves no particle
    std::optional<ZoneJet> jet;
    double flow_unit = 0;  ///< m³/s that the velocities are given in; 0: they are velocities, m/s
    double flow_ratio = 1; ///< of a particle's area to dp²
    ZoneDensity density = ZoneDensity::reference;
    std::vector<ZoneSurface> surfaces; ///< given in the case, or
    std::string surface_file;          ///< inside the data folder, or
    std::optional<ZoneSurfaceSearch> surface_search;
    std::optional<double> bottom; ///< of the water, m
    bool remove_above = false;
};

/// special/inout.
struct OpenZonesDef {
    std::vector<OpenZoneDef> zones;
    double least_determinant = 1e3; ///< determlimit
    bool unlimited = false;         ///< useboxlimit false: a zone holds what is behind its plane, however far beside it
};

} // namespace sluice

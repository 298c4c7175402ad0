// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/host_device.h"
#include "core/vec.h"
#include "model/velocity_table.h"
#include <limits>
#include <vector>

// Open boundaries as plain data which a backend may copy to a device: zones of the fluid in which velocity and density
// are imposed or extrapolated, through which it comes and goes. The rules are in physics/open_zones.h.

namespace sluice {

/// Whether new particles enter at the back of a zone.
enum class Refilling : int {
    full = 0,          ///< behind every column of which a particle enters the domain
    below_surface = 1, ///< the same below the water's surface
    advanced = 2       ///< wherever a column below the surface has room and flows in: for flows that turn
};

/// What becomes of fluid of the domain that comes into a zone. The numbers are those of `inputtreatment`.
enum class ZoneInput : int { unchanged = 0, convert = 1, remove = 2 };

/// Where the density of a zone's particles comes from. The numbers are those of `imposerhop`.
enum class ZoneDensity : int { reference = 0, hydrostatic = 1, extrapolated = 2 };

/// The velocity along a zone's direction at one time: values (m/s) at heights (m), of which a zone uses one (uniform),
/// two (linear) or three (parabolic).
struct ZoneVelocity {
    double time = 0; ///< s
    double speed[3] = {0, 0, 0};
    double z[3] = {0, 0, 0};

    bool operator==(const ZoneVelocity&) const = default;
};

/// Height of the water in a zone at one time.
struct ZoneSurface {
    double time = 0; ///< s
    double z = 0;    ///< m

    bool operator==(const ZoneSurface&) const = default;
};

/// A zone: the space behind a plane, as deep as its layers of particles. Its columns, one particle wide, stand on the
/// points of the plane that the case gives. Positions count from the domain's lower corner.
struct OpenZone {
    Vec3d origin;                          ///< a place in the plane through which the fluid enters the domain, m
    Vec3d direction;                       ///< into the domain, a unit vector
    Vec3d across, up;                      ///< unit vectors along the plane
    double dp = 0;                         ///< sides of a column, m
    double depth = 0;                      ///< of the zone, m
    double first_across = 0, first_up = 0; ///< from `origin` to the middle of the first cell of columns, m
    int across_count = 0, up_count = 0;    ///< cells of columns
    int first_cell = 0;                    ///< in OpenZones::cells
    int first_point = 0, point_count = 0;  ///< in OpenZones::points
    int profile = 0;                       ///< values of its velocities; 0: it has a table, or is extrapolated
    int first_velocity = 0, velocity_count = 0;
    int table = -1;           ///< of OpenZones::tables, that its velocity is taken from; −1: none
    bool holds_level = false; ///< the vertical velocity of the table acts on others, but moves no particle
    Vec3d jet_centre;         ///< of the round opening of a jet, in the plane, m
    double jet_distance = 0;  ///< before the plane, where the jet is `jet_growth` times its radius wider, m; 0: no jet
    double jet_growth = 0;
    ZoneDensity density = ZoneDensity::reference;
    int first_surface = 0, surface_count = 0; ///< none: the zone is full
    bool finds_surface = false;               ///< its one surface is that of the start; later it is found in the fluid
    Vec3d gauge;            ///< in the middle of the plane: the height from which on the surface is looked for, m
    double surface_fit = 0; ///< how much lower than found the surface is taken, m
    double bottom = -std::numeric_limits<double>::infinity(); ///< of the water, m
    bool remove_above = false;                                ///< particles above the water's surface are taken away
    Refilling refilling = Refilling::below_surface;
    ZoneInput input = ZoneInput::unchanged;
    bool unlimited = false; ///< it holds what is behind its plane however far beside its columns

    SLUICE_HD bool imposes_velocity() const { return profile > 0 || table >= 0; }
    SLUICE_HD bool extrapolates() const { return !imposes_velocity() || density == ZoneDensity::extrapolated; }
    bool operator==(const OpenZone&) const = default;
};

/// A column of a zone, found by its cell.
struct ZoneCell {
    int column = -1;     ///< its point within the zone; −1: none
    bool inside = false; ///< the cell is the column's own; else it is one next to it

    bool operator==(const ZoneCell&) const = default;
};

/// All open boundaries of a run.
struct OpenZones {
    std::vector<OpenZone> zones;
    std::vector<ZoneCell> cells;
    std::vector<Vec3d> points; ///< in the zones' planes, m
    std::vector<ZoneVelocity> velocities;
    std::vector<ZoneSurface> surfaces;
    VelocityTables tables;          ///< with places from the domain's lower corner
    double least_determinant = 1e3; ///< of the equations of a ghost node, above which gradients are extrapolated, too

    bool any() const { return !zones.empty(); }
    bool extrapolate() const {
        for (const OpenZone& zone : zones)
            if (zone.extrapolates()) return true;
        return false;
    }
    bool operator==(const OpenZones&) const = default;
};

} // namespace sluice

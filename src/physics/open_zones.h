// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/constants.h"
#include "model/open_zones.h"
#include "physics/sph/equation_of_state.h"
#include "physics/sph/free_surface.h"
#include "physics/sph/wall_extrapolation.h"
#include "physics/velocity_table.h"

// Open boundaries (Tafuni et al. 2018, Comput. Methods Appl. Mech. Eng. 342): what the particles of a zone flow with,
// and when particles leave, enter and change sides. Which particle belongs to which zone follows from its position
// alone.

namespace sluice {

/// The zones as loops over particles see them; pointers into OpenZones or copies of its arrays.
struct ZonesView {
    const OpenZone* zones = nullptr;
    int zone_count = 0;
    const ZoneCell* cells = nullptr;
    const Vec3d* points = nullptr;
    const ZoneVelocity* velocities = nullptr;
    const ZoneSurface* surfaces = nullptr;
    VelocityTablesView tables{};
    double least_determinant = 1e3;
};

inline ZonesView view_of(const OpenZones& open) {
    return {open.zones.data(),      static_cast<int>(open.zones.size()),
            open.cells.data(),      open.points.data(),
            open.velocities.data(), open.surfaces.data(),
            view_of(open.tables),   open.least_determinant};
}

/// Where in the open boundaries a particle is.
struct ZonePlace {
    int zone = -1;    ///< −1: in none
    int column = -1;  ///< within the zone
    double depth = 0; ///< behind the plane, m
};

inline namespace SLUICE_ISA {

/// How far behind the zone's plane a position is, m.
SLUICE_HD inline double depth_in(const OpenZone& zone, const Vec3d& p) { return -dot(p - zone.origin, zone.direction); }

/// The column that stands nearest to a position, wherever along the zone's direction that is; none farther off than a
/// cell.
SLUICE_HD inline ZoneCell cell_of(const ZonesView& open, const OpenZone& zone, const Vec3d& p) {
    const Vec3d from = p - zone.origin;
    const double a = floor((dot(from, zone.across) - zone.first_across) / zone.dp + 0.5),
                 b = floor((dot(from, zone.up) - zone.first_up) / zone.dp + 0.5);
    if (!(a >= 0 && a < zone.across_count && b >= 0 && b < zone.up_count)) return {};
    return open.cells[zone.first_cell + static_cast<int>(b) * zone.across_count + static_cast<int>(a)];
}

/// The place of a position: in the zone in a column of which it lies, or else beside one, or else behind the plane of
/// one without limits, in no column.
SLUICE_HD inline ZonePlace place_in(const ZonesView& open, const Vec3d& p) {
    ZonePlace place;
    for (int k = 0; k < open.zone_count; ++k) {
        const double depth = depth_in(open.zones[k], p);
        if (!(depth > 0 && depth <= open.zones[k].depth)) continue;
        const ZoneCell cell = cell_of(open, open.zones[k], p);
        if ((cell.column < 0 && !open.zones[k].unlimited) || (!cell.inside && place.zone >= 0)) continue;
        place = {k, cell.column, depth};
        if (cell.inside) break;
    }
    return place;
}

/// Whether a zone may hold particles that are no farther than `distance` (m) from a place.
SLUICE_HD inline bool may_hold(const OpenZone& zone, const Vec3d& p, double distance) {
    const double depth = depth_in(zone, p), reach = distance + 0.5 * zone.dp;
    if (!(depth > -reach && depth < zone.depth + reach)) return false;
    const double a = dot(p - zone.origin, zone.across) - zone.first_across,
                 b = dot(p - zone.origin, zone.up) - zone.first_up;
    return zone.unlimited || (a > -reach && a < (zone.across_count - 1) * zone.dp + reach && b > -reach &&
                              b < (zone.up_count - 1) * zone.dp + reach);
}

/// Whether a wall particle stands so far behind a zone's plane that nothing else than the zone's own particles is near
/// it (`support`: the support radius, m). Its density stays as it is: what a zone takes away at its back has pressed on
/// the wall there and never leaves it, so that its density would rise without end. Walls drawn on the lattice of the
/// zone stand well within these limits or well outside of them, so that rounding does not decide.
SLUICE_HD inline bool is_wall_of_zone(const ZonesView& open, const Vec3d& p, double support) {
    for (int k = 0; k < open.zone_count; ++k) {
        const OpenZone& zone = open.zones[k];
        const double off_lattice = 0.3 * zone.dp, reach = support + off_lattice;
        const double depth = depth_in(zone, p), least = support < 0.5 * zone.depth ? support : 0.5 * zone.depth;
        if (!(depth > least - off_lattice && depth < zone.depth + reach)) continue;
        const double a = dot(p - zone.origin, zone.across) - zone.first_across,
                     b = dot(p - zone.origin, zone.up) - zone.first_up;
        if (a > -reach && a < (zone.across_count - 1) * zone.dp + reach && b > -reach &&
            b < (zone.up_count - 1) * zone.dp + reach)
            return true;
    }
    return false;
}

/// The velocity along the direction of a zone that has one imposed, m/s: the parabola, line or constant through its
/// values, linear in time, the first and the last of them before and after.
SLUICE_HD inline double zone_speed(const ZonesView& open, const OpenZone& zone, double z, double time) {
    const ZoneVelocity* const rows = open.velocities + zone.first_velocity;
    const int last = zone.velocity_count - 1;
    int i = 0;
    while (i < last && rows[i + 1].time <= time) ++i;
    const ZoneVelocity &from = rows[i], &to = rows[i < last ? i + 1 : i];
    const double share = i < last && time > from.time ? (time - from.time) / (to.time - from.time) : 0;
    double v[3], at[3];
    for (int k = 0; k < 3; ++k) {
        v[k] = from.speed[k] + share * (to.speed[k] - from.speed[k]);
        at[k] = from.z[k] + share * (to.z[k] - from.z[k]);
    }
    if (zone.profile == 1) return v[0];
    const double slope = (v[1] - v[0]) / (at[1] - at[0]), line = v[0] + slope * (z - at[0]);
    if (zone.profile == 2) return line;
    const double bend = ((v[2] - v[1]) / (at[2] - at[1]) - slope) / (at[2] - at[0]);
    return line + bend * (z - at[0]) * (z - at[1]);
}

/// The direction of a jet's particle: along the zone's direction, and from its last layer on towards where the jet, so
/// far before the plane, is as much wider as it is to grow.
SLUICE_HD inline Vec3d jet_direction(const OpenZone& zone, const Vec3d& p) {
    if (zone.jet_distance == 0 || depth_in(zone, p) > zone.dp) return zone.direction;
    const Vec3d from = p - zone.jet_centre, beside = from - dot(from, zone.direction) * zone.direction;
    const Vec3d way = zone.jet_distance * zone.direction + zone.jet_growth * beside;
    return (1 / sqrt(dot(way, way))) * way;
}

/// The velocity that a zone imposes at `p`, m/s.
SLUICE_HD inline Vec3d zone_velocity(const ZonesView& open, const OpenZone& zone, const Vec3d& p, double time) {
    if (zone.table >= 0) return velocity_in(open.tables, open.tables.tables[zone.table], p.x, p.z, time);
    return zone_speed(open, zone, p.z, time) * jet_direction(zone, p);
}

/// What of a zone's velocity moves its particles.
SLUICE_HD inline Vec3d moving_velocity(const OpenZone& zone, const Vec3d& v) {
    return zone.holds_level ? Vec3d{v.x, v.y, 0} : v;
}

/// Height of the water in a zone, m: linear in time between its values, the first and the last before and after.
SLUICE_HD inline double zone_surface(const ZonesView& open, const OpenZone& zone, double time) {
    if (zone.surface_count == 0) return 1e300;
    const ZoneSurface* const rows = open.surfaces + zone.first_surface;
    const int last = zone.surface_count - 1;
    int i = 0;
    while (i < last && rows[i + 1].time <= time) ++i;
    if (i == last || time <= rows[i].time) return rows[i].z;
    return rows[i].z + (time - rows[i].time) / (rows[i + 1].time - rows[i].time) * (rows[i + 1].z - rows[i].z);
}

/// Whether a height is above the water in a zone: by more than rounding, or, where the surface is found in the fluid,
/// by more than it goes up and down in water that is still.
SLUICE_HD inline bool is_above_surface(const ZonesView& open, const OpenZone& zone, double z, double time) {
    return z > zone_surface(open, zone, time) + (zone.finds_surface ? 0.25 : 1e-3) * zone.dp;
}

/// Where a zone that finds its surface looks for it: upwards from a place as far before its plane as particles see.
SLUICE_HD inline Vec3d surface_foot(const sph::Constants& c, const OpenZone& zone) {
    return zone.gauge + (2 * c.h) * zone.direction;
}

/// The check points above that place, so far that fluid anywhere in a domain of a height (m) ends below the last.
SLUICE_HD inline sph::CheckPoints surface_points(const sph::Constants& c, const OpenZone& zone, double height) {
    const double length = height + 2 * c.h - zone.gauge.z;
    return {length > 0 ? length : 0, 0.5 * zone.dp};
}

/// Height of the water in a zone from how far above the foot its surface has been found, m: that of the start where
/// there is no fluid (`found` < 0).
SLUICE_HD inline double surface_from(const OpenZone& zone, double found, double start) {
    return found < 0 ? start : zone.gauge.z + found - zone.surface_fit;
}

/// Density below still water whose surface is at `surface`: Tait's equation solved for P = ρ0 g depth; the reference
/// density above it. kg/m³.
SLUICE_HD inline double hydrostatic_density(const sph::Constants& c, double surface, double z) {
    const double depth = surface > z ? surface - z : 0;
    return sph::EquationOfState<double>(c).density(c.rho0 * -c.gravity.z * depth);
}

/// What a particle of a zone flows with.
struct ZoneFlow {
    Vec3d velocity;
    double density;
};

/// The mirror image in the zone's plane, which lies in the domain: there the fluid is looked at.
SLUICE_HD inline Vec3d ghost_place(const OpenZone& zone, const Vec3d& p) {
    return p + (2 * depth_in(zone, p)) * zone.direction;
}

/// `now` with what the zone imposes at `p` in place of it.
SLUICE_HD inline ZoneFlow imposed_flow(const sph::Constants& c, const ZonesView& open, const OpenZone& zone,
                                       const Vec3d& p, double time, const ZoneFlow& now) {
    ZoneFlow flow = now;
    if (zone.imposes_velocity()) flow.velocity = zone_velocity(open, zone, p, time);
    if (zone.density == ZoneDensity::reference) flow.density = c.rho0;
    if (zone.density == ZoneDensity::hydrostatic)
        flow.density = hydrostatic_density(c, zone_surface(open, zone, time), p.z);
    return flow;
}

/// Velocity and density of a zone's particle at `p`. `sums`: of its ghost node, over the fluid outside of the zones
/// (GhostNode<…, linear>; null where the zone extrapolates nothing). What cannot be known, since there is no fluid near
/// the ghost node, stays as it is: `now`.
template <class S>
SLUICE_HD ZoneFlow zone_flow(const sph::Constants& c, const ZonesView& open, const OpenZone& zone, const Vec3d& p,
                             double time, const S* sums, const ZoneFlow& now) {
    ZoneFlow flow = imposed_flow(c, open, zone, p, time, now);
    if (!zone.extrapolates()) return flow;
    const sph::GhostFit fit(sums, c.two_d, open.least_determinant);
    if (fit.kind() == sph::Extrapolation::none) return flow;
    const Vec3d offset = (-2 * depth_in(zone, p) / c.h) * zone.direction;
    if (zone.density == ZoneDensity::extrapolated) flow.density = c.rho0 + fit.at(offset, sums + sph::ghost_density);
    if (!zone.imposes_velocity())
        for (int axis = 0; axis < 3; ++axis)
            flow.velocity[axis] =
                fit.at(offset, sums + sph::ghost_velocity + axis, sums + sph::ghost_velocity_gradient + 3 * axis);
    return flow;
}

/// What a step has done to a particle of the fluid as far as open boundaries go.
enum class ZoneEvent : int {
    none,   ///< it is where it was: in the domain, or in its zone
    left,   ///< it is to be taken away
    entered ///< it has left its zone for the domain
};

/// From where a step began (`before`) to where the particle is now.
SLUICE_HD inline ZoneEvent zone_event(const ZonesView& open, const ZonePlace& before, const Vec3d& p,
                                      const ZonePlace& now, double time) {
    if (now.zone >= 0) {
        const OpenZone& zone = open.zones[now.zone];
        if (before.zone < 0 && zone.input == ZoneInput::remove) return ZoneEvent::left;
        return zone.remove_above && is_above_surface(open, zone, p.z, time) ? ZoneEvent::left : ZoneEvent::none;
    }
    if (before.zone < 0) return ZoneEvent::none;
    const OpenZone& zone = open.zones[before.zone];
    const double depth = depth_in(zone, p);
    return depth > zone.depth ? ZoneEvent::left : depth > 0 ? ZoneEvent::none : ZoneEvent::entered;
}

/// What a column of a zone has in it at the end of a step.
struct ColumnState {
    double deepest = 0;   ///< how far behind the plane its last particle is, m; 0: it is empty
    double speed = 0;     ///< of that particle along the zone's direction, m/s
    bool entered = false; ///< a particle has just left it for the domain
};

/// Whether a new particle may be due in a column, as far as that depends on whether one has just left it for the
/// domain.
SLUICE_HD inline bool may_refill(const OpenZone& zone, bool entered) {
    return entered || zone.refilling == Refilling::advanced;
}

/// How far behind the plane a new particle stands in a column, m; 0: none is due. `point`: of the column.
SLUICE_HD inline double depth_of_new(const ZonesView& open, const OpenZone& zone, const Vec3d& point, double time,
                                     const ColumnState& column) {
    constexpr double least_room = 0.75; // spacings to the end of the zone
    if (!may_refill(zone, column.entered)) return 0;
    if (zone.refilling != Refilling::full && is_above_surface(open, zone, point.z, time)) return 0;
    if (point.z < zone.bottom) return 0;
    const bool empty = column.deepest <= 0;
    const double depth = empty ? 0.5 * zone.dp : column.deepest + zone.dp;
    if (zone.refilling != Refilling::advanced) {
        if (depth > zone.depth + (1 - least_room) * zone.dp) return 0;
        return depth < zone.depth * (1 - 1e-9) ? depth : zone.depth * (1 - 1e-9);
    }
    const double speed =
        zone.imposes_velocity() ? dot(zone_velocity(open, zone, point, time), zone.direction) : column.speed;
    return speed > 0 && depth < zone.depth ? depth : 0;
}

} // namespace SLUICE_ISA
} // namespace sluice

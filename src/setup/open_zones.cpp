// SPDX-License-Identifier: Apache-2.0
#include "setup/open_zones.h"

#include "physics/open_zones.h"
#include "setup/number_rows.h"
#include "setup/velocity_tables.h"
#include "setup/zone_points.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <span>

namespace sluice {

namespace {

void require_later(const NumberRow& row, double before) {
    if (!(row.values[0] > before))
        throw InputError(row.where, fmt::format("the time {} does not come after that of the row before ({})",
                                                row.values[0], before));
}

std::vector<ZoneVelocity> velocities_of(const Case& definition, const OpenZoneDef& zone) {
    if (zone.velocity_file.empty()) return zone.velocities;
    std::vector<ZoneVelocity> made;
    const int n = zone.profile;
    const auto rows =
        read_number_rows(definition.data_folder / zone.velocity_file, zone.where, {.least = n == 1 ? 2 : 1 + 2 * n});
    for (const NumberRow& row : rows) {
        if (!made.empty()) require_later(row, made.back().time);
        ZoneVelocity velocity;
        velocity.time = row.values[0];
        for (int k = 0; k < n; ++k) velocity.speed[k] = row.values[1 + static_cast<std::size_t>(k)];
        for (int k = 0; k < n && n > 1; ++k) velocity.z[k] = row.values[1 + static_cast<std::size_t>(n + k)];
        made.push_back(velocity);
    }
    if (made.empty()) throw InputError(zone.where, fmt::format("the file {} has no velocities", zone.velocity_file));
    return made;
}

std::vector<ZoneSurface> surfaces_of(const Case& definition, const OpenZoneDef& zone) {
    if (zone.surface_file.empty()) return zone.surfaces;
    std::vector<ZoneSurface> made;
    for (const NumberRow& row :
         read_number_rows(definition.data_folder / zone.surface_file, zone.where, {.least = 2})) {
        if (!made.empty()) require_later(row, made.back().time);
        made.push_back({row.values[0], row.values[1]});
    }
    if (made.empty()) throw InputError(zone.where, fmt::format("the file {} has no heights", zone.surface_file));
    return made;
}

void check_heights(const OpenZoneDef& zone, const std::vector<ZoneVelocity>& velocities) {
    for (const ZoneVelocity& v : velocities)
        for (int k = 1; k < zone.profile; ++k)
            if (!(v.z[k] > v.z[k - 1]))
                throw InputError(zone.where,
                                 fmt::format("<imposevelocity> the heights of a profile must go up, z{} is {} "
                                             "after {} at {} s",
                                             k + 1, v.z[k], v.z[k - 1], v.time));
}

/// The cells of columns of a zone, and the cells around them. In 2-D there is nothing beside the plane.
void add_cells(const OpenZoneDef& from, bool two_d, OpenZone& zone, OpenZones& out) {
    const auto points = std::span(out.points).subspan(static_cast<std::size_t>(zone.first_point));
    double low[2] = {1e300, 1e300}, high[2] = {-1e300, -1e300};
    const auto sides_of = [&](const Vec3d& p) {
        return std::pair{dot(p - zone.origin, zone.across), dot(p - zone.origin, zone.up)};
    };
    for (const Vec3d& p : points) {
        const auto [a, b] = sides_of(p);
        low[0] = std::min(low[0], a);
        low[1] = std::min(low[1], b);
        high[0] = std::max(high[0], a);
        high[1] = std::max(high[1], b);
    }
    const int border = two_d ? 0 : 1;
    zone.first_across = low[0] - zone.dp;
    zone.first_up = low[1] - border * zone.dp;
    zone.across_count = static_cast<int>(std::lround((high[0] - low[0]) / zone.dp)) + 3;
    zone.up_count = static_cast<int>(std::lround((high[1] - low[1]) / zone.dp)) + 1 + 2 * border;
    zone.first_cell = static_cast<int>(out.cells.size());
    out.cells.resize(out.cells.size() + std::size_t(zone.across_count) * static_cast<std::size_t>(zone.up_count));
    const auto cell = [&](int a, int b) -> ZoneCell& {
        return out.cells[static_cast<std::size_t>(zone.first_cell + b * zone.across_count + a)];
    };
    for (int k = 0; k < zone.point_count; ++k) {
        const auto [a, b] = sides_of(points[static_cast<std::size_t>(k)]);
        ZoneCell& own = cell(static_cast<int>(std::floor((a - zone.first_across) / zone.dp + 0.5)),
                             static_cast<int>(std::floor((b - zone.first_up) / zone.dp + 0.5)));
        if (own.column >= 0)
            throw InputError(from.where, "<inoutzone> two points of the zone are closer than dp across its direction");
        own = {k, true};
    }
    const int beside[8][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
    for (int b = 0; b < zone.up_count; ++b)
        for (int a = 0; a < zone.across_count; ++a)
            for (const auto& [da, db] : beside) {
                if (cell(a, b).column >= 0) break;
                if (a + da < 0 || a + da >= zone.across_count || b + db < 0 || b + db >= zone.up_count) continue;
                if (cell(a + da, b + db).inside) cell(a, b) = {cell(a + da, b + db).column, false};
            }
}

/// What a flow (m³/s) is as a velocity: over the particles of the zone that are below its surface.
void divide_flow(const OpenZoneDef& from, const OpenZone& zone, OpenZones& out) {
    if (zone.surface_count > 1 || zone.finds_surface)
        throw InputError(from.where,
                         "<flowvelocity> needs a surface of the water that stays: <imposezsurf> mode 0, or none");
    int open = 0;
    for (int k = 0; k < zone.point_count; ++k)
        open += !is_above_surface(view_of(out), zone, out.points[static_cast<std::size_t>(zone.first_point + k)].z, 0);
    const double area = open * from.flow_ratio * zone.dp * zone.dp;
    if (!(area > 0)) throw InputError(from.where, "<flowvelocity> no point of the zone is below its surface");
    for (int i = 0; i < zone.velocity_count; ++i)
        out.velocities[static_cast<std::size_t>(zone.first_velocity + i)].speed[0] *= from.flow_unit / area;
}

/// Where a zone looks for its surface, and the height that it begins with.
void set_search(const ZoneSurfaceSearch& from, const SourceLocation& where, OpenZone& zone, OpenZones& out) {
    const auto points = std::span(out.points).subspan(static_cast<std::size_t>(zone.first_point));
    Vec3d low = points.front(), high = low;
    for (const Vec3d& p : points)
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    zone.finds_surface = true;
    zone.surface_fit = from.fit;
    zone.gauge = {0.5 * (low.x + high.x), 0.5 * (low.y + high.y), from.lowest.value_or(low.z)};
    const double start = from.start.value_or(high.z);
    if (!(zone.gauge.z < start))
        throw InputError(where,
                         fmt::format("<imposezsurf> the surface of the start, {:g}, is not above the height from "
                                     "which on it is looked for, {:g}: correct zsurf0 or zsurfmin",
                                     start, zone.gauge.z));
    out.surfaces.push_back({0, start});
    zone.surface_count = 1;
}

/// The jet of a round zone, whose plane is `to_plane` before its points.
void set_jet(const OpenZoneDef& from, const Vec3d& to_plane, OpenZone& zone) {
    zone.jet_centre = from.shape.turn(from.shape.point) + to_plane;
    zone.jet_distance = from.jet->distance;
    zone.jet_growth = from.jet->radius / from.shape.radius - 1;
}

void add_zone(const Case& definition, const OpenZoneDef& from, const ParticleSet& particles, OpenZones& out) {
    const ZonePoints made = zone_points(definition, from, particles);
    OpenZone zone;
    zone.dp = definition.definition.dp;
    zone.depth = from.layers * zone.dp;
    zone.direction = made.direction;
    zone.across = made.across;
    zone.up = made.up;
    const Vec3d to_plane = (0.5 * zone.dp) * zone.direction;
    zone.origin = made.points.front() + to_plane;
    zone.first_point = static_cast<int>(out.points.size());
    zone.point_count = static_cast<int>(made.points.size());
    for (const Vec3d& p : made.points) out.points.push_back(p + to_plane);
    add_cells(from, definition.definition.two_d, zone, out);
    zone.profile = from.profile;
    zone.unlimited = definition.open.unlimited;
    if (!from.grid_file.empty()) {
        zone.table = add_velocity_grid(definition, from, out.tables);
        zone.holds_level = from.holds_level;
    }
    if (from.jet) set_jet(from, to_plane, zone);
    const auto velocities = velocities_of(definition, from);
    check_heights(from, velocities);
    zone.first_velocity = static_cast<int>(out.velocities.size());
    zone.velocity_count = static_cast<int>(velocities.size());
    out.velocities.insert(out.velocities.end(), velocities.begin(), velocities.end());
    const auto surfaces = surfaces_of(definition, from);
    zone.first_surface = static_cast<int>(out.surfaces.size());
    zone.surface_count = static_cast<int>(surfaces.size());
    out.surfaces.insert(out.surfaces.end(), surfaces.begin(), surfaces.end());
    if (from.surface_search) set_search(*from.surface_search, from.where, zone, out);
    zone.density = from.density;
    if (from.bottom) zone.bottom = *from.bottom;
    zone.remove_above = from.remove_above;
    zone.refilling = from.refilling;
    zone.input = from.input;
    if (from.flow_unit > 0) divide_flow(from, zone, out);
    out.zones.push_back(zone);
}

} // namespace

OpenZones make_open_zones(const Case& definition, const ParticleSet& particles) {
    OpenZones out;
    out.least_determinant = definition.open.least_determinant;
    for (const OpenZoneDef& zone : definition.open.zones) add_zone(definition, zone, particles, out);
    if (out.any() && definition.parameters.parts_out_max < 1)
        throw InputError(definition.open.zones.front().where,
                         "<inout> together with PartsOutMax below 1 is not supported, since fluid comes and goes: take "
                         "it out, or use MinFluidStop");
    return out;
}

Box with_zones(Box box, const OpenZones& open, const bool (&periodic)[3]) {
    for (const OpenZone& zone : open.zones)
        for (int k = zone.first_point; k < zone.first_point + zone.point_count; ++k)
            for (const double depth : {0.0, zone.depth + 0.5 * zone.dp}) {
                const Vec3d p = open.points[static_cast<std::size_t>(k)] - depth * zone.direction;
                for (int axis = 0; axis < 3; ++axis) {
                    if (periodic[axis]) continue;
                    box.min[axis] = std::min(box.min[axis], p[axis]);
                    box.max[axis] = std::max(box.max[axis], p[axis]);
                }
            }
    return box;
}

void check_zones_inside_period(const Case& definition, const RunSetup& setup) {
    const Vec3d size = setup.domain.max - setup.domain.min;
    for (std::size_t n = 0; n < setup.open.zones.size(); ++n) {
        const OpenZone& zone = setup.open.zones[n];
        for (int axis = 0; axis < 3; ++axis) {
            if (!setup.period.periodic[axis]) continue;
            const bool leads_along = std::abs(zone.direction[axis]) > 1e-6;
            double low = size[axis], high = 0;
            for (int k = zone.first_point; k < zone.first_point + zone.point_count; ++k)
                for (const double depth : {0.0, zone.depth}) {
                    const double place =
                        setup.open.points[static_cast<std::size_t>(k)][axis] - depth * zone.direction[axis];
                    low = std::min(low, place);
                    high = std::max(high, place);
                }
            // Two zones whose ends meet across the side are then as far apart as the kernel reaches.
            const double room = leads_along ? setup.constants.h : 0;
            if (low >= room && high <= size[axis] - room) continue;
            const double lower = setup.domain.min[axis];
            throw InputError(
                definition.open.zones[n].where,
                fmt::format("<inoutzone> reaches from {0} = {1:.6g} to {2:.6g} m, and the case is periodic in {0} from "
                            "{3:.6g} to {4:.6g} m: {5}; take the periodic parameter of {0} out, or widen "
                            "simulationdomain so that the zone lies {6}inside",
                            "xyz"[axis], lower + low, lower + high, lower, lower + size[axis],
                            leads_along ? "what enters or leaves along that axis would meet what is at its other side"
                                        : "what lies beyond that side would come in at the other",
                            leads_along ? fmt::format("{:.3g} m (h) ", room) : ""));
        }
    }
}

OpenZones relative_to(OpenZones open, const Vec3d& origin) {
    for (OpenZone& zone : open.zones) {
        zone.origin = zone.origin - origin;
        zone.gauge = zone.gauge - origin;
        zone.jet_centre = zone.jet_centre - origin;
        zone.bottom -= origin.z;
    }
    for (Vec3d& p : open.points) p = p - origin;
    for (ZoneVelocity& velocity : open.velocities)
        for (double& z : velocity.z) z -= origin.z;
    for (ZoneSurface& surface : open.surfaces) surface.z -= origin.z;
    open.tables = relative_to(std::move(open.tables), origin);
    return open;
}

namespace {

/// The particles of a state with some left out and some added.
class ZoneFiller {
public:
    ZoneFiller(const RunSetup& setup, const ParticleState& from)
        : setup_(setup), open_(view_of(setup.open)), from_(from) {
        made_ = from;
        made_.id.clear();
        made_.position.clear();
        made_.velocity.clear();
        made_.density.clear();
    }

    /// A particle of the start: `from_` at its id.
    void keep(std::uint32_t id, const Vec3d& place) {
        add(id, place, {vec_cast<double>(from_.velocity[id]), double(from_.density[id])});
    }
    bool is_in_zone(std::uint32_t id) const { return place_in(open_, from_.position[id]).zone >= 0; }

    /// A zone's layers; the first one is made of the particles from `first` on (or −1: created, too).
    void fill(const OpenZone& zone, int layers, std::int64_t first) {
        for (int layer = 0; layer < layers; ++layer)
            for (int k = 0; k < zone.point_count; ++k) {
                const Vec3d point = open_.points[zone.first_point + k];
                const bool dry = zone.refilling != Refilling::full && is_above_surface(open_, zone, point.z, 0);
                if (dry || point.z < zone.bottom) continue;
                const Vec3d place = point - ((layer + 0.5) * zone.dp) * zone.direction;
                const auto taken = static_cast<std::uint32_t>(first + k);
                const ZoneFlow before =
                    first < 0 ? ZoneFlow{{}, setup_.constants.rho0}
                              : ZoneFlow{vec_cast<double>(from_.velocity[taken]), double(from_.density[taken])};
                const std::uint32_t id =
                    layer == 0 && first >= 0 ? taken : setup_.groups.particle_count() + made_.created++;
                add(id, place, imposed_flow(setup_.constants, open_, zone, place, 0, before));
            }
    }

    ParticleState take() {
        made_.velocity_previous = made_.velocity;
        made_.density_previous = made_.density;
        return std::move(made_);
    }

private:
    void add(std::uint32_t id, const Vec3d& place, const ZoneFlow& flow) {
        made_.id.push_back(id);
        made_.position.push_back(place);
        made_.velocity.push_back(vec_cast<float>(flow.velocity));
        made_.density.push_back(static_cast<float>(flow.density));
    }

    const RunSetup& setup_;
    ZonesView open_;
    const ParticleState& from_;
    ParticleState made_;
};

} // namespace

void fill_open_zones(const Case& definition, const ParticleSet& particles, const RunSetup& setup,
                     ParticleState& state) {
    if (!setup.open.any()) return;
    ZoneFiller filler(setup, state);
    std::set<int> used; // mkfluid whose particles are a zone's first layer
    for (const OpenZoneDef& zone : definition.open.zones)
        if (zone.shape.kind == ZoneShape::Kind::particles) used.insert(zone.shape.mkfluid);
    for (const ParticleBlock& block : particles.blocks) {
        if (block.is_fluid() && used.contains(block.mk_type)) continue;
        for (std::uint32_t id = block.begin; id < block.begin + block.count; ++id)
            if (!block.is_fluid() || !filler.is_in_zone(id)) filler.keep(id, state.position[id]);
    }
    for (std::size_t k = 0; k < setup.open.zones.size(); ++k) {
        const OpenZoneDef& zone = definition.open.zones[k];
        const bool takes = zone.shape.kind == ZoneShape::Kind::particles && used.erase(zone.shape.mkfluid) > 0;
        const std::int64_t first = takes ? std::int64_t(zone_block(zone, particles).begin) : -1;
        filler.fill(setup.open.zones[k], zone.layers, first);
    }
    state = filler.take();
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "setup/zone_points.h"

#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

/// The axis that a direction is along, −1: none.
int axis_of(const Vec3d& direction) {
    const Vec3d u = normalized(direction);
    for (int axis = 0; axis < 3; ++axis)
        if (std::abs(u[axis]) > 1 - 1e-9) return axis;
    return -1;
}

/// Two unit vectors across a direction: along the lattice if it is along one of its axes, in 2-D one in the plane and
/// y.
void set_sides(bool two_d, ZonePoints& zone) {
    const Vec3d& d = zone.direction;
    const int axis = axis_of(d);
    if (two_d) {
        zone.across = {std::abs(d.z), 0, d.z < 0 ? d.x : -d.x};
        zone.up = {0, 1, 0};
    } else if (axis >= 0) {
        zone.across = zone.up = {};
        zone.across[axis == 0 ? 1 : 0] = 1;
        zone.up[axis == 2 ? 1 : 2] = 1;
    } else {
        zone.across = normalized(cross(std::abs(d.z) < 0.9 ? Vec3d{0, 0, 1} : Vec3d{1, 0, 0}, d));
        zone.up = cross(d, zone.across);
    }
}

/// Places 0, dp, 2 dp … on a length.
int steps_on(double length, double dp) { return static_cast<int>(std::floor(length / dp + 1e-6)); }

void add_line(const ZoneShape& shape, double dp, double y, std::vector<Vec3d>& points) {
    const Vec3d from{shape.point.x, y, shape.point.z}, way{shape.point2.x - from.x, 0, shape.point2.z - from.z};
    const int steps = steps_on(norm(way), dp);
    for (int i = 0; i <= steps; ++i) points.push_back(from + (i * dp) * normalized(way));
}

void add_box(const ZoneShape& shape, double dp, std::vector<Vec3d>& points) {
    int steps[3];
    for (int axis = 0; axis < 3; ++axis) steps[axis] = steps_on(std::abs(shape.size[axis]), dp);
    for (int k = 0; k <= steps[2]; ++k)
        for (int j = 0; j <= steps[1]; ++j)
            for (int i = 0; i <= steps[0]; ++i)
                points.push_back(shape.point + Vec3d{std::copysign(i * dp, shape.size.x),
                                                     std::copysign(j * dp, shape.size.y),
                                                     std::copysign(k * dp, shape.size.z)});
}

void add_disc(const ZoneShape& shape, const ZonePoints& zone, double dp, std::vector<Vec3d>& points) {
    const int most = steps_on(shape.radius, dp);
    const double reach = shape.radius / dp + 1e-6;
    for (int b = -most; b <= most; ++b)
        for (int a = -most; a <= most; ++a)
            if (a * a + b * b <= reach * reach)
                points.push_back(shape.point + (a * dp) * zone.across + (b * dp) * zone.up);
}

/// How many points a shape has, or a little more.
double count_points(const ZoneShape& shape, double dp) {
    const auto along = [&](double length) { return std::abs(length) / dp + 1; };
    switch (shape.kind) {
    case ZoneShape::Kind::particles: return 0; // as many as there are already
    case ZoneShape::Kind::line: return along(norm(shape.point2 - shape.point));
    case ZoneShape::Kind::box: return along(shape.size.x) * along(shape.size.y) * along(shape.size.z);
    case ZoneShape::Kind::circle: return along(2 * shape.radius) * along(2 * shape.radius);
    }
    return 0;
}

/// Before the turn: along the axes of the lattice, but for a line and a disc.
void require_across(const OpenZoneDef& zone, const ZonePoints& made, double dp) {
    const Vec3d& first = made.points.front();
    for (const Vec3d& p : made.points)
        if (std::abs(dot(p - first, made.direction)) > 1e-3 * dp)
            throw InputError(zone.where, fmt::format("<inoutzone> the points ({:.10g}, {:.10g}, {:.10g}) and ({:.10g}, "
                                                     "{:.10g}, {:.10g}) do not lie across "
                                                     "the direction: a zone is flat, its direction along its normal",
                                                     first.x, first.y, first.z, p.x, p.y, p.z));
    const bool on_lattice = zone.shape.kind == ZoneShape::Kind::particles || zone.shape.kind == ZoneShape::Kind::box;
    if (on_lattice && axis_of(made.direction) < 0)
        throw InputError(zone.where,
                         "<inoutzone> the direction of particles or of a box is along x, y or z before it is "
                         "turned: use rotate or rotateaxis");
}

} // namespace

const ParticleBlock& zone_block(const OpenZoneDef& zone, const ParticleSet& particles) {
    for (const ParticleBlock& block : particles.blocks)
        if (block.is_fluid() && block.mk_type == zone.shape.mkfluid && block.count > 0) return block;
    throw InputError(zone.where,
                     fmt::format("<inoutzone> mkfluid {}: there are no such particles, draw them or correct the number",
                                 zone.shape.mkfluid));
}

ZonePoints zone_points(const Case& definition, const OpenZoneDef& zone, const ParticleSet& particles) {
    const ZoneShape& shape = zone.shape;
    const double dp = definition.definition.dp;
    const bool two_d = definition.definition.two_d;
    ZonePoints made;
    if (two_d && shape.direction.y != 0)
        throw InputError(zone.where, "<inoutzone> the direction leaves the plane of the case, which is 2-D in x–z");
    if (const double count = count_points(shape, dp); !(count <= 1e7))
        throw InputError(zone.where,
                         fmt::format("<inoutzone> has {:g} points, 1e7 are the most: make it smaller", count));
    made.direction = normalized(shape.direction);
    set_sides(two_d, made);
    switch (shape.kind) {
    case ZoneShape::Kind::particles: {
        const ParticleBlock& block = zone_block(zone, particles);
        made.points.assign(particles.position.begin() + block.begin,
                           particles.position.begin() + block.begin + block.count);
        break;
    }
    case ZoneShape::Kind::line: add_line(shape, dp, definition.definition.point_min.y, made.points); break;
    case ZoneShape::Kind::box: add_box(shape, dp, made.points); break;
    case ZoneShape::Kind::circle: add_disc(shape, made, dp, made.points); break;
    }
    require_across(zone, made, dp);
    for (Vec3d& p : made.points) p = shape.turn(p);
    for (Vec3d* v : {&made.direction, &made.across, &made.up}) *v = shape.turn.turned(*v);
    return made;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "case/read_open_zones.h"
#include "case/read_shapes.h"
#include "case/read_turns.h"
#include "case/reader.h"

#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

bool is_zero(const Vec3d& v) { return dot(v, v) == 0; }

/// The `value` of a child that is a whole number from `least` to `most`.
int choice_of(const XmlElement& e, const char* name, int least, int most, std::optional<int> absent = {}) {
    const auto child = absent ? e.child(name) : e.required_child(name);
    if (!child) return *absent;
    require_attributes(*child, {"value"});
    const int value = child->integer("value");
    if (value < least || value > most) child->fail(fmt::format("<{}> {} is none of {} … {}", name, value, least, most));
    return value;
}

Vec3d plane_vector(const XmlElement& e, bool two_d) {
    require_attributes(e, {"x", "y", "z"});
    return {e.number("x"), two_d ? e.number("y", 0) : e.number("y"), e.number("z")};
}

/// <rotate> of 2-D, <rotateaxis> and <rotateadv> of 3-D; `centre`: of the first where it has none.
void read_turn(const XmlElement& e, const Vec3d& centre, ZoneShape& shape) {
    if (const auto rotate = e.child("rotate")) {
        require_attributes(*rotate, {"angle", "anglesunits", "centerx", "centerz"});
        const Vec3d about{rotate->number("centerx", centre.x), 0, rotate->number("centerz", centre.z)};
        shape.turn = rotation(-read_angle(*rotate), {0, 1, 0}, about);
    }
    const auto axis = e.child("rotateaxis"), advanced = e.child("rotateadv");
    if (axis && advanced) advanced->fail("<rotateadv> stands beside <rotateaxis>, take one");
    if (axis) shape.turn = read_axis_turn(*axis);
    if (!advanced) return;
    require_attributes(*advanced, {"angle1", "angle2", "angle3", "axes", "intrinsic", "anglesunits"});
    expect_children(*advanced, {"center"});
    shape.turn = read_advanced_turn(*advanced, "angle");
}

std::vector<std::string> with_turns(std::vector<std::string> words, bool two_d) {
    if (two_d)
        words.emplace_back("rotate");
    else
        words.insert(words.end(), {"rotateaxis", "rotateadv"});
    return words;
}

void read_direction(const XmlElement& e, bool two_d, ZoneShape& shape) {
    const XmlElement direction = e.required_child("direction");
    shape.direction = plane_vector(direction, two_d);
    if (is_zero(shape.direction)) direction.fail("<direction> is zero");
}

void read_particles(CaseReader& reader, const XmlElement& e, bool two_d, ZoneShape& shape) {
    require_attributes(e, {"mkfluid", "direction"});
    expect_children(e, with_turns({"direction"}, two_d));
    shape.mkfluid = read_mk(reader, e, "mkfluid", MkKind::fluid);
    const std::string way = to_lower(e.required_attribute("direction"));
    static const std::pair<const char*, Vec3d> ways[] = {{"left", {-1, 0, 0}},   {"right", {1, 0, 0}},
                                                         {"front", {0, -1, 0}},  {"back", {0, 1, 0}},
                                                         {"bottom", {0, 0, -1}}, {"top", {0, 0, 1}}};
    for (const auto& [name, direction] : ways)
        if (way == name) shape.direction = direction;
    if (way == "custom")
        read_direction(e, two_d, shape);
    else if (is_zero(shape.direction))
        e.fail(
            fmt::format("<particles> direction \"{}\" is none of left, right, front, back, top, bottom, custom", way));
    read_turn(e, {}, shape);
}

void read_drawn(const XmlElement& e, bool two_d, ZoneShape& shape) {
    require_attributes(e, {});
    shape.point = plane_vector(e.required_child("point"), two_d);
    const bool line = e.name() == "line", box = e.name() == "box";
    if (line) {
        expect_children(e, with_turns({"point", "point2", "direction"}, two_d));
        shape.kind = ZoneShape::Kind::line;
        shape.point2 = plane_vector(e.required_child("point2"), two_d);
        if (shape.point == shape.point2) e.fail("<line> point and point2 are the same");
    } else if (box) {
        expect_children(e, with_turns({"point", "size", "direction"}, two_d));
        shape.kind = ZoneShape::Kind::box;
        shape.size = plane_vector(e.required_child("size"), false);
        const int flat = (shape.size.x == 0) + (shape.size.y == 0) + (shape.size.z == 0);
        if (flat != 1) e.fail("<box> of an inoutzone must be flat: one of its sizes is 0, two are not");
    } else {
        expect_children(e, with_turns({"point", "radius", "direction"}, two_d));
        shape.kind = ZoneShape::Kind::circle;
        const XmlElement radius = e.required_child("radius");
        require_attributes(radius, {"v"});
        shape.radius = radius.number("v");
        if (!(shape.radius > 0)) radius.fail(fmt::format("<radius> {} must be positive", shape.radius));
    }
    read_direction(e, two_d, shape);
    read_turn(e, shape.point, shape);
}

ZoneShape read_shape(CaseReader& reader, const XmlElement& e) {
    const bool two_d = reader.out.definition.two_d;
    const char *const name = two_d ? "zone2d" : "zone3d", *const other = two_d ? "zone3d" : "zone2d";
    if (const auto wrong = e.child(other))
        wrong->fail(fmt::format("<{}> in a case that is {}: give <{}>", other, two_d ? "2-D" : "3-D", name));
    const XmlElement zone = e.required_child(name);
    require_attributes(zone, {});
    ZoneShape shape;
    const auto children = zone.children();
    if (children.size() != 1) zone.fail(fmt::format("<{}> needs one shape", name));
    const XmlElement& drawn = children.front();
    if (drawn.name() == "particles")
        read_particles(reader, drawn, two_d, shape);
    else if (two_d ? drawn.name() == "line" : drawn.name() == "box" || drawn.name() == "circle")
        read_drawn(drawn, two_d, shape);
    else
        drawn.fail(fmt::format("<{}> has no <{}>, it knows {}", name, drawn.name(),
                               two_d ? "particles and line" : "particles, box and circle"));
    return shape;
}

/// <zsurf0>, <zsurfmin> and <zsurffit> of a surface that is found in the fluid.
ZoneSurfaceSearch read_search(const XmlElement& e, const ZoneShape& shape, double dp) {
    const auto height = [&](const char* name) -> std::optional<double> {
        const auto child = e.child(name);
        if (!child) return {};
        require_attributes(*child, {"value"});
        return child->number("value");
    };
    ZoneSurfaceSearch search{height("zsurf0"), height("zsurfmin"), 0.5 * dp};
    if (search.start && search.lowest && !(*search.lowest < *search.start))
        e.fail(fmt::format("<imposezsurf> zsurfmin {} must be below zsurf0 {}", *search.lowest, *search.start));
    if (const auto fit = e.child("zsurffit")) {
        require_attributes(*fit, {"value", "valuedp"});
        if (fit->attribute("value") && fit->attribute("valuedp"))
            fit->fail("<zsurffit> has both value and valuedp: give one");
        search.fit = fit->attribute("value") ? fit->number("value") : fit->number("valuedp") * dp;
    }
    if (std::abs(shape.turn.turned(shape.direction).z) > 1e-6 * norm(shape.direction))
        e.fail("<imposezsurf> mode 2 needs a zone whose direction is horizontal");
    return search;
}

void read_surface(CaseReader& reader, const XmlElement& e, OpenZoneDef& zone) {
    require_attributes(e, {"mode"});
    const int mode = e.integer("mode");
    if (mode < 0 || mode > 2) e.fail(fmt::format("<imposezsurf> mode {} is none of 0, 1, 2", mode));
    static const std::vector<std::string> words[] = {
        {"zsurf", "zbottom", "remove"},
        {"zsurftimes", "zsurffile", "zbottom", "remove", "savevtk"},
        {"zsurf0", "zsurfmin", "zsurffit", "zbottom", "remove", "savevtk"}};
    expect_children(e, words[mode]);
    if (const auto vtk = e.child("savevtk")) reader.ignore(*vtk, "savevtk of an inoutzone");
    if (const auto bottom = e.child("zbottom")) {
        require_attributes(*bottom, {"value"});
        zone.bottom = bottom->number("value");
    }
    if (const auto remove = e.child("remove")) {
        require_attributes(*remove, {"value"});
        zone.remove_above = remove->boolean("value", false);
    }
    if (mode == 0) {
        const XmlElement surface = e.required_child("zsurf");
        require_attributes(surface, {"value"});
        zone.surfaces = {{0, surface.number("value")}};
        return;
    }
    if (mode == 2) {
        zone.surface_search = read_search(e, zone.shape, reader.out.definition.dp);
        return;
    }
    const auto here = e.child("zsurftimes"), file = e.child("zsurffile");
    if (bool(here) == bool(file)) e.fail("<imposezsurf> needs either <zsurftimes> or <zsurffile>");
    if (file) {
        require_attributes(*file, {"file"});
        zone.surface_file = read_data_file(reader, *file, "file");
        return;
    }
    expect_children(*here, {"timevalue"});
    for (const XmlElement& row : here->children()) {
        require_attributes(row, {"time", "zsurf"});
        zone.surfaces.push_back({row.number("time"), row.number("zsurf")});
        if (const auto n = zone.surfaces.size(); n > 1 && !(zone.surfaces[n - 1].time > zone.surfaces[n - 2].time))
            row.fail(fmt::format("<timevalue> time {} does not come after that of the one before ({})",
                                 zone.surfaces[n - 1].time, zone.surfaces[n - 2].time));
    }
    if (zone.surfaces.empty()) here->fail("<zsurftimes> has no <timevalue>");
}

void read_open_zone(CaseReader& reader, const XmlElement& e) {
    require_attributes(e, {});
    expect_children(e, {"refilling", "inputtreatment", "layers", "zone2d", "zone3d", "imposevelocity", "imposerhop",
                        "imposezsurf"});
    OpenZoneDef zone;
    zone.where = e.where();
    zone.shape = read_shape(reader, e);
    zone.layers = choice_of(e, "layers", 1, 1000);
    zone.refilling = Refilling(choice_of(e, "refilling", 0, 2, 1));
    zone.input = ZoneInput(choice_of(e, "inputtreatment", 0, 2));
    if (zone.input == ZoneInput::unchanged)
        reader.inform(e.where(), "<inputtreatment> 0: fluid that comes into the zone takes its values, as with 1");
    read_zone_velocity(reader, e.required_child("imposevelocity"), zone);
    if (const auto density = e.child("imposerhop")) {
        require_attributes(*density, {"mode"});
        const int mode = density->integer("mode");
        if (mode < 0 || mode > 2) density->fail(fmt::format("<imposerhop> mode {} is none of 0, 1, 2", mode));
        zone.density = ZoneDensity(mode);
    }
    if (const auto surface = e.child("imposezsurf")) read_surface(reader, *surface, zone);
    if (zone.density == ZoneDensity::hydrostatic && !e.child("imposezsurf"))
        e.fail("<imposerhop> mode 1 (hydrostatic) needs the surface of the water: give <imposezsurf>");
    if (zone.density == ZoneDensity::hydrostatic && !(reader.out.constants.gravity.z < 0))
        e.fail("<imposerhop> mode 1 (hydrostatic) needs gravity along -z");
    reader.out.open.zones.push_back(std::move(zone));
}

} // namespace

void read_open_zones(CaseReader& reader, const XmlElement& inout) {
    expect_children(inout, {"memoryresize", "useboxlimit", "determlimit", "extrapolatemode", "refillingrate",
                            "userefilling", "inoutzone"});
    if (inout.attribute("resizetime")) reader.ignore(inout, "resizetime of inout");
    for (const XmlElement& e : inout.children())
        reader.collect([&] {
            if (e.name() == "inoutzone") return read_open_zone(reader, e);
            if (e.name() == "determlimit") {
                require_attributes(e, {"value"});
                reader.out.open.least_determinant = e.number("value");
                if (!(reader.out.open.least_determinant > 0)) e.fail("<determlimit> must be positive");
                return;
            }
            if (e.name() == "useboxlimit") {
                require_attributes(e, {"value"});
                expect_children(e, {"freecentre"});
                reader.out.open.unlimited = !e.boolean("value", true);
                if (const auto centre = e.child("freecentre")) reader.ignore(*centre, "freecentre of useboxlimit");
                return;
            }
            reader.ignore(e, e.name() + " of inout");
        });
    if (reader.out.open.zones.empty() && reader.errors.empty()) inout.fail("<inout> has no <inoutzone>");
}

} // namespace sluice

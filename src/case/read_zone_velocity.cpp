// SPDX-License-Identifier: Apache-2.0
#include "case/read_open_zones.h"
#include "case/read_shapes.h"

#include <fmt/format.h>

namespace sluice {

namespace {

/// "velocity" + suffix for profiles of one, two and three values.
std::string with_count(const char* name, int values) { return values == 1 ? name : name + std::to_string(values); }

/// v, v2, v3 at z, z2, z3; a constant has no heights.
ZoneVelocity read_values(const XmlElement& e, int values, bool in_time) {
    std::vector<std::string> known;
    if (in_time) known.emplace_back("time");
    for (int k = 1; k <= values; ++k) {
        known.push_back(with_count("v", k));
        if (values > 1) known.push_back(with_count("z", k));
    }
    require_attributes(e, known);
    ZoneVelocity velocity;
    if (in_time) velocity.time = e.number("time");
    for (int k = 1; k <= values; ++k) {
        velocity.speed[k - 1] = e.number(with_count("v", k).c_str());
        if (values > 1) velocity.z[k - 1] = e.number(with_count("z", k).c_str());
    }
    return velocity;
}

void read_times(const XmlElement& e, OpenZoneDef& zone) {
    expect_children(e, {"timevalue"});
    for (const XmlElement& row : e.children()) {
        zone.velocities.push_back(read_values(row, zone.profile, true));
        if (const auto n = zone.velocities.size();
            n > 1 && !(zone.velocities[n - 1].time > zone.velocities[n - 2].time))
            row.fail(fmt::format("<timevalue> time {} does not come after that of the one before ({})",
                                 zone.velocities[n - 1].time, zone.velocities[n - 2].time));
    }
    if (zone.velocities.empty()) e.fail(fmt::format("<{}> has no <timevalue>", e.name()));
}

/// <flowvelocity>: what the numbers of the velocities are where they are a flow.
void read_flow(const XmlElement& e, bool two_d, OpenZoneDef& zone) {
    require_attributes(e, {"units", "ratio"});
    if (two_d) e.fail("<flowvelocity> needs a 3-D case: give the velocity itself");
    if (zone.profile != 1) e.fail("<flowvelocity> needs a uniform velocity");
    const std::string units = to_lower(e.attribute("units").value_or("l/s"));
    constexpr double gallon = 3.785411784e-3; // US, m³
    zone.flow_unit = units == "l/s" ? 1e-3 : units == "gal/s" ? gallon : units == "gal/min" ? gallon / 60 : 0;
    if (zone.flow_unit == 0) e.fail(fmt::format("<flowvelocity> units \"{}\" are none of l/s, gal/s, gal/min", units));
    zone.flow_ratio = e.number("ratio", 1);
    if (!(zone.flow_ratio > 0)) e.fail(fmt::format("<flowvelocity> ratio {} must be positive", zone.flow_ratio));
}

/// <gridveldata> and what goes with it.
void read_grid(CaseReader& reader, const XmlElement& e, OpenZoneDef& zone) {
    if (const auto mesh = e.child("meshdata"))
        return reader.unsupported(mesh->where(), "<meshdata>", "give velocities on a grid by <gridveldata>");
    expect_children(e, {"gridveldata", "gridresetvelz", "gridposzero"});
    const XmlElement data = e.required_child("gridveldata");
    require_attributes(data, {"file"});
    zone.grid_file = read_data_file(reader, data, "file");
    if (const auto reset = e.child("gridresetvelz")) {
        require_attributes(*reset, {"value"});
        zone.holds_level = reset->boolean("value", false);
    }
    if (const auto corner = e.child("gridposzero")) {
        require_attributes(*corner, {"x", "z"});
        zone.grid_corner = {corner->number("x", 0), 0, corner->number("z", 0)};
    }
}

/// <jetcircle> of a round zone.
void read_jet(const XmlElement& e, OpenZoneDef& zone) {
    require_attributes(e, {"v", "distance", "radius"});
    if (zone.shape.kind != ZoneShape::Kind::circle) e.fail("<jetcircle> needs a zone of zone3d by a <circle>");
    zone.profile = 1;
    zone.velocities = {{0, {e.number("v")}, {}}};
    zone.jet = ZoneJet{e.number("distance"), e.number("radius")};
    if (!(zone.jet->distance > 0 && zone.jet->radius > 0))
        e.fail(fmt::format("<jetcircle> distance ({}) and radius ({}) must be positive", zone.jet->distance,
                           zone.jet->radius));
}

/// The one child that says what the velocity is, of "velocity", "velocity2", … or "velocitytimes", "velocityfile", ….
XmlElement read_profile(const XmlElement& e, const std::vector<const char*>& names, OpenZoneDef& zone) {
    std::optional<XmlElement> found;
    for (const char* name : names)
        for (int values = 1; values <= 3; ++values)
            if (const auto child = e.child(with_count(name, values).c_str())) {
                if (found)
                    child->fail(
                        fmt::format("<imposevelocity> has both <{}> and <{}>, take one", found->name(), child->name()));
                found = child;
                zone.profile = values;
            }
    if (!found) e.fail(fmt::format("<imposevelocity mode=\"{}\"> needs <{}>", e.integer("mode"), names.front()));
    return *found;
}

/// Each name for profiles of one, two and three values.
std::vector<std::string> with_counts(const std::vector<const char*>& names) {
    std::vector<std::string> all;
    for (const char* name : names)
        for (int values = 1; values <= 3; ++values) all.push_back(with_count(name, values));
    return all;
}

std::vector<std::string> known_children(const std::vector<const char*>& names) {
    std::vector<std::string> known = with_counts(names);
    known.emplace_back("flowvelocity");
    return known;
}

/// Mode 2 takes the velocity from the fluid: one that is given besides has no effect, as in the reference solver.
void leave_out_velocities(CaseReader& reader, const XmlElement& e) {
    expect_children(e, with_counts({"velocity", "velocitytimes", "velocityfile"}));
    for (const XmlElement& child : e.children())
        reader.warn(child.where(), fmt::format("<{}> has no effect: <imposevelocity mode=\"2\"> takes the velocity of "
                                               "the fluid; take mode 0 or 1 to impose it",
                                               child.name()));
}

} // namespace

void read_zone_velocity(CaseReader& reader, const XmlElement& e, OpenZoneDef& zone) {
    require_attributes(e, {"mode"});
    const int mode = e.integer("mode");
    if (mode < 0 || mode > 3) e.fail(fmt::format("<imposevelocity> mode {} is none of 0, 1, 2, 3", mode));
    if (mode == 3) return read_grid(reader, e, zone);
    if (mode == 2) return leave_out_velocities(reader, e);
    if (const auto jet = e.child("jetcircle"); jet && mode == 0) {
        expect_children(e, {"jetcircle"});
        return read_jet(*jet, zone);
    }
    const std::vector<const char*> names =
        mode == 0 ? std::vector<const char*>{"velocity"} : std::vector<const char*>{"velocitytimes", "velocityfile"};
    expect_children(e, known_children(names));
    const XmlElement given = read_profile(e, names, zone);
    if (mode == 0)
        zone.velocities = {read_values(given, zone.profile, false)};
    else if (given.name().starts_with("velocityfile")) {
        require_attributes(given, {"file"});
        zone.velocity_file = read_data_file(reader, given, "file");
    } else
        read_times(given, zone);
    if (const auto flow = e.child("flowvelocity")) read_flow(*flow, reader.out.definition.two_d, zone);
}

} // namespace sluice

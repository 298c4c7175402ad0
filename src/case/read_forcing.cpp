// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"
#include "case/reader.h"

#include <cmath>
#include <fmt/format.h>

namespace sluice {

namespace {

double value_of(const XmlElement& parent, const char* name, double absent) {
    const auto e = parent.child(name);
    if (!e) return absent;
    require_attributes(*e, {"value"});
    return e->number("value");
}

/// What all kinds of zones have.
void read_strength(const XmlElement& e, DampingZone& zone) {
    zone.over_limit = value_of(e, "overlimit", 0);
    zone.rate = value_of(e, "redumax", 10);
    if (!(zone.over_limit >= 0)) e.fail(fmt::format("<{}> overlimit {} is negative", e.name(), zone.over_limit));
    if (!(zone.rate >= 0)) e.fail(fmt::format("<{}> redumax {} is negative", e.name(), zone.rate));
    if (const auto factor = e.child("factorxyz")) {
        require_attributes(*factor, {"x", "y", "z"});
        zone.factor = factor->vector({1, 1, 1});
        for (int axis = 0; axis < 3; ++axis)
            if (!(zone.factor[axis] >= 0)) factor->fail(fmt::format("<factorxyz> {} is negative", zone.factor[axis]));
    }
}

void read_domain(const XmlElement& e, DampingZone& zone) {
    require_attributes(e, {"zmin", "zmax"});
    expect_children(e, {"point1", "point2", "point3", "point4"});
    zone.has_domain = true;
    zone.z_min = e.number("zmin");
    zone.z_max = e.number("zmax");
    const char* const names[] = {"point1", "point2", "point3", "point4"};
    for (int i = 0; i < 4; ++i) {
        const XmlElement point = e.required_child(names[i]);
        require_attributes(point, {"x", "y"});
        zone.corner[i] = {point.number("x"), point.number("y"), 0};
    }
}

DampingZone read_damping_plane(const XmlElement& e) {
    expect_children(e, {"limitmin", "limitmax", "overlimit", "redumax", "factorxyz", "domain"});
    DampingZone zone;
    zone.inner_min = child_vector(e, "limitmin");
    zone.outer_min = child_vector(e, "limitmax");
    if (zone.inner_min == zone.outer_min) e.fail("<dampingzone> limitmin and limitmax are the same place");
    if (const auto domain = e.child("domain")) read_domain(*domain, zone);
    return zone;
}

/// "all,-top,…": what is named is switched on, with a minus off.
void read_directions(const XmlElement& e, DampingZone& zone) {
    require_attributes(e, {"value"});
    const char* const names[] = {"left", "right", "front", "back", "bottom", "top"};
    for (bool& active : zone.active) active = false;
    for (const std::string& word : split_words(e.required_attribute("value"), ",")) {
        const bool off = word.starts_with("-");
        const std::string name = off ? word.substr(1) : word;
        bool known = name == "all";
        for (int face = 0; face < 6; ++face)
            if (name == "all" || name == names[face]) {
                zone.active[face] = !off;
                known = true;
            }
        if (!known)
            e.fail(fmt::format("<directions> \"{}\" is none of all, top, bottom, left, right, front, back", name));
    }
}

DampingZone read_damping_box(const XmlElement& e) {
    expect_children(e, {"directions", "limitmin", "limitmax", "overlimit", "redumax", "factorxyz"});
    DampingZone zone;
    zone.shape = DampingZone::Shape::box;
    const auto corners = [&](const char* name, Vec3d& low, Vec3d& high) {
        const XmlElement limit = e.required_child(name);
        require_attributes(limit, {});
        expect_children(limit, {"pointini", "pointend"});
        low = child_vector(limit, "pointini");
        high = child_vector(limit, "pointend");
    };
    corners("limitmin", zone.inner_min, zone.inner_max);
    corners("limitmax", zone.outer_min, zone.outer_max);
    for (int axis = 0; axis < 3; ++axis)
        if (!(zone.outer_min[axis] <= zone.inner_min[axis] && zone.inner_min[axis] <= zone.inner_max[axis] &&
              zone.inner_max[axis] <= zone.outer_max[axis]))
            e.fail("<dampingbox> the box of limitmin must lie in that of limitmax, pointini below pointend");
    if (const auto directions = e.child("directions")) read_directions(*directions, zone);
    return zone;
}

DampingZone read_damping_cylinder(const XmlElement& e) {
    expect_children(e, {"point1", "point2", "limitmin", "limitmax", "overlimit", "redumax", "factorxyz"});
    DampingZone zone;
    zone.shape = DampingZone::Shape::cylinder;
    zone.axis_point = child_vector(e, "point1");
    const Vec3d along = child_vector(e, "point2") - zone.axis_point;
    if (norm(along) == 0) e.fail("<dampingcylinder> point1 and point2 are the same, the axis needs a direction");
    zone.axis = normalized(along);
    const auto radius = [&](const char* name) {
        const XmlElement limit = e.required_child(name);
        require_attributes(limit, {"radius"});
        return limit.number("radius");
    };
    zone.inner_radius = radius("limitmin");
    zone.outer_radius = radius("limitmax");
    if (!(zone.inner_radius >= 0 && zone.outer_radius > zone.inner_radius))
        e.fail(fmt::format("<dampingcylinder> the radius of limitmax ({}) must be above that of limitmin ({})",
                           zone.outer_radius, zone.inner_radius));
    return zone;
}

AccelerationSample read_sample(const XmlElement& e) {
    require_attributes(e, {"time", "linx", "liny", "linz", "angx", "angy", "angz"});
    return {e.number("time"),
            {e.number("linx", 0), e.number("liny", 0), e.number("linz", 0)},
            {e.number("angx", 0), e.number("angy", 0), e.number("angz", 0)},
            {},
            {}};
}

void read_samples(CaseReader& reader, const XmlElement& e, AccelerationInputDef& input) {
    const auto here = e.child("acctimes"), old = e.child("datafile");
    const auto file = old ? old : e.child("acctimesfile");
    if (bool(here) == bool(file)) e.fail("<accinput> needs either <acctimes> or <acctimesfile>");
    if (file) {
        require_attributes(*file, {"value"});
        input.file = read_data_file(reader, *file, "value");
        return;
    }
    expect_children(*here, {"timevalue"});
    for (const XmlElement& row : here->children()) {
        const AccelerationSample sample = read_sample(row);
        if (!input.samples.empty() && !(sample.time > input.samples.back().time))
            row.fail(fmt::format("<timevalue> time {} does not come after that of the one before ({})", sample.time,
                                 input.samples.back().time));
        input.samples.push_back(sample);
    }
    if (input.samples.empty()) here->fail("<acctimes> has no <timevalue>");
}

Rotation read_rotation(const XmlElement& e) {
    require_attributes(e, {"value"});
    const std::string word = e.required_attribute("value");
    if (word == "frame") return Rotation::of_frame;
    if (word == "reference") return Rotation::of_reference;
    e.fail(
        fmt::format("<rotation> \"{}\" is neither frame (centrifugal and Coriolis forces) nor reference (the terms of "
                    "DualSPHysics 5.4)",
                    word));
}

void read_input(CaseReader& reader, const XmlElement& e) {
    require_attributes(e, {"mkfluid", "mkbound"});
    if (e.attribute("mkbound")) {
        reader.unsupported(e.where(), "<accinput mkbound>", "accelerate fluids, move walls by <motion>");
        return;
    }
    expect_children(
        e, {"time", "acccentre", "globalgravity", "rotation", "acctimes", "acctimesfile", "mkfluid", "datafile"});
    AccelerationInputDef input;
    input.where = e.where();
    if (const auto old = e.child("mkfluid"))
        input.mkfluid = read_number_list(*old, "value", reader.out.mk.fluid_count);
    else
        input.mkfluid = read_mk_list(reader, e, "mkfluid");
    if (const auto time = e.child("time")) {
        require_attributes(*time, {"start", "end"});
        input.start = time->number("start", 0);
        input.end = time->number("end", input.end);
        if (!(input.end > input.start)) time->fail("<time> ends before it starts");
    }
    if (e.child("acccentre")) input.centre = child_vector(e, "acccentre");
    const double gravity = value_of(e, "globalgravity", 1);
    if (gravity != 0 && gravity != 1) e.fail(fmt::format("<globalgravity> {} is neither 0 nor 1", gravity));
    input.gravity = gravity == 1;
    if (const auto rotation = e.child("rotation")) input.rotation = read_rotation(*rotation);
    read_samples(reader, e, input);
    reader.out.acceleration_inputs.push_back(std::move(input));
}

} // namespace

void read_damping(CaseReader& reader, const XmlElement& damping) {
    for (const XmlElement& e : damping.children())
        reader.collect([&] {
            require_attributes(e, {});
            DampingZone zone;
            if (e.name() == "dampingzone")
                zone = read_damping_plane(e);
            else if (e.name() == "dampingbox")
                zone = read_damping_box(e);
            else if (e.name() == "dampingcylinder")
                zone = read_damping_cylinder(e);
            else
                e.fail(fmt::format("<damping> has no <{}>, it knows dampingzone, dampingbox and dampingcylinder",
                                   e.name()));
            read_strength(e, zone);
            reader.out.damping.push_back(zone);
        });
}

void read_acceleration_inputs(CaseReader& reader, const XmlElement& accinputs) {
    for (const XmlElement& e : accinputs.children())
        reader.collect([&] {
            if (e.name() != "accinput") e.fail(fmt::format("<accinputs> has no <{}>, it knows <accinput>", e.name()));
            read_input(reader, e);
        });
}

} // namespace sluice

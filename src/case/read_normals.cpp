// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/read_shapes.h"
#include "case/reader.h"

#include <filesystem>
#include <fmt/format.h>

namespace sluice {

namespace {

/// The number of a child element: its attribute v, or value, which older cases have.
double child_number(const XmlElement& e, const char* child, double absent) {
    const auto c = e.child(child);
    if (!c) return absent;
    return c->number(c->attribute("v") ? "v" : "value");
}

bool child_boolean(const XmlElement& e, const char* child, bool absent) {
    const auto c = e.child(child);
    return c ? c->boolean("v", absent) : absent;
}

double child_not_negative(const XmlElement& e, const char* child, double absent) {
    const double value = child_number(e, child, absent);
    if (value < 0) e.child(child)->fail(fmt::format("<{}> must not be negative ({})", child, value));
    return value;
}

double read_child_radius(const XmlElement& e) {
    e.required_child("radius");
    const double radius = child_number(e, "radius", 0);
    if (!(radius > 0)) e.child("radius")->fail(fmt::format("<radius> must be positive ({})", radius));
    return radius;
}

NormalsOfPlane read_normals_of_plane(const XmlElement& e) {
    NormalsOfPlane plane;
    plane.normal = read_nonzero_vector(e.required_child("normal"));
    const XmlElement point = e.required_child("point");
    if (!point.boolean("auto", false)) plane.point = point.vector();
    if (auto c = e.child("limitdist")) plane.limit_distance = c->number("vdp");
    return plane;
}

NormalsOfSphere read_normals_of_sphere(const XmlElement& e) {
    return {e.required_child("center").vector(), read_child_radius(e), child_boolean(e, "inside", true)};
}

NormalsOfCylinder read_axis(const XmlElement& e) {
    NormalsOfCylinder c;
    c.center1 = e.required_child("center1").vector();
    c.center2 = e.required_child("center2").vector();
    if (c.center1 == c.center2) e.fail(fmt::format("<{}>: center1 and center2 are the same", e.name()));
    return c;
}

NormalsOfCylinder read_normals_of_cylinder(const XmlElement& e) {
    NormalsOfCylinder c = read_axis(e);
    c.radius = read_child_radius(e);
    c.inside = child_boolean(e, "inside", true);
    c.limit1 = child_boolean(e, "limit1", true);
    c.limit2 = child_boolean(e, "limit2", true);
    return c;
}

/// A tube, whose fluid is around the axis, or with `inverse` outside. Its radius is that of its particles.
NormalsOfCylinder read_normals_of_curve(const XmlElement& e) {
    NormalsOfCylinder c = read_axis(e);
    c.inside = child_boolean(e, "inverse", false);
    c.limit1 = c.limit2 = false;
    return c;
}

/// Children that the rule has no meaning for are named, and stop a run.
void refuse_others(CaseReader& reader, const XmlElement& e, bool after_initials,
                   std::initializer_list<const char*> known) {
    for (const XmlElement& child : e.children()) {
        if (std::find(known.begin(), known.end(), child.name()) != known.end()) continue;
        const bool corner = after_initials && child.name() == "corner";
        if (corner && !child.boolean("v", true)) continue;
        reader.unsupported(child.where(), fmt::format("<{}> of <{}>", child.name(), e.name()),
                           corner ? "it is a contact of grains: set it to false, and take norgeometry for corners"
                                  : "take it out");
    }
}

/// `kind`: the name of the element without its beginning: set, plane, sphere, cylinder or curved.
void read_rule(CaseReader& reader, const XmlElement& e, const std::string& kind, bool after_initials) {
    NormalsRule rule;
    rule.where = e.where();
    rule.element = e.name();
    rule.after_initials = after_initials;
    rule.mkbound = read_mk_list(reader, e, "mkbound");
    rule.only = read_only_positions(e);
    const bool all_in_reach = kind == "set" || kind == "curved";
    rule.max_distance_h = all_in_reach ? 0 : child_not_negative(e, "maxdisth", 2);
    rule.clear = child_boolean(e, "clear", true);
    const auto refuse = [&](std::initializer_list<const char*> known) {
        refuse_others(reader, e, after_initials, known);
    };
    if (kind == "set") {
        refuse({"onlypos", "normal"});
        rule.surface = NormalsOfVector{e.required_child("normal").vector()};
    } else if (kind == "plane") {
        refuse({"onlypos", "maxdisth", "clear", "point", "limitdist", "normal"});
        rule.surface = read_normals_of_plane(e);
    } else if (kind == "sphere") {
        refuse({"onlypos", "maxdisth", "clear", "center", "radius", "inside"});
        rule.surface = read_normals_of_sphere(e);
    } else if (kind == "curved") {
        refuse({"onlypos", "center1", "center2", "inverse"});
        rule.surface = read_normals_of_curve(e);
    } else {
        refuse({"onlypos", "maxdisth", "clear", "center1", "center2", "radius", "inside", "limit1", "limit2"});
        rule.surface = read_normals_of_cylinder(e);
    }
    reader.out.normals.rules.push_back(std::move(rule));
}

/// A file that shapeout would write: "NAME" of [CaseName]_NAME_Actual.vtk. Empty if it is another one.
void recognise_shapes(const std::string& case_name, NormalsGeometry& geometry) {
    const std::filesystem::path path(geometry.file);
    const std::string stem = path.stem().string();
    if (path.has_parent_path() || !stem.starts_with(case_name + "_")) return;
    const std::string rest = stem.substr(case_name.size());
    for (const char* suffix : {"_Actual", "_Real", "_Dp"})
        if (rest.ends_with(suffix)) {
            const std::string name = rest.substr(0, rest.size() - std::string_view(suffix).size());
            geometry.shapes = name.empty() ? name : name.substr(1);
            geometry.on_lattice = std::string_view(suffix) == "_Dp";
        }
}

/// `e`: normals, with the words of older cases, or norgeometry.
void read_geometry(CaseReader& reader, const XmlElement& e) {
    const auto file = e.child("geometryfile");
    if (!file) {
        for (const char* word : {"distanceh", "maxsizeh"})
            if (auto c = e.child(word))
                reader.warn(c->where(), fmt::format("<{}> without <geometryfile> has no effect", word));
        return;
    }
    NormalsGeometry geometry;
    geometry.where = file->where();
    if (reader.out.normals.geometry)
        file->fail(fmt::format("a second geometryfile, the first is on line {}; keep one",
                               reader.out.normals.geometry->where.line));
    const std::string case_name = name_of_case(reader.out);
    geometry.file = read_data_file(reader, *file, "file");
    recognise_shapes(case_name, geometry);
    geometry.max_distance_h = child_not_negative(e, "distanceh", 2);
    geometry.max_size_h = child_not_negative(e, "maxsizeh", 0);
    reader.out.normals.geometry = std::move(geometry);
}

bool saves_a_file(const std::string& name) {
    return name == "svshapes" || name == "svnormals" || name == "svnormaldata";
}

void ignore_saved_files(CaseReader& reader, const XmlElement& e) {
    for (const XmlElement& child : e.children())
        if (saves_a_file(child.name()))
            reader.ignore(child, child.name() + " of normals (`sluice check --vtp` shows the normals)");
}

/// The rule that a name means: "plane" of norplane.
std::string kind_of(const std::string& name, const char* beginning) {
    if (!name.starts_with(beginning)) return "";
    const std::string kind = name.substr(std::string_view(beginning).size());
    for (const char* known : {"set", "plane", "sphere", "cylinder", "curved"})
        if (kind == known) return kind;
    return "";
}

/// Reads what only modified dynamic walls ask for: with Boundary 1 a mistake there, or a word that is not supported, is
/// no more than a warning.
template <class Read>
void for_modified_walls(CaseReader& reader, const XmlElement& e, Read&& read) {
    const std::size_t errors = reader.errors.size(), unsupported = reader.out.unsupported_in_run.size();
    reader.collect(read);
    if (reader.out.parameters.boundary == sph::BoundaryCondition::modified_dynamic) return;
    const auto leave_out = [&](const std::string& what) {
        reader.warn(e.where(), "left out, as walls with Boundary 1 have no normals: " + what);
    };
    for (std::size_t i = errors; i < reader.errors.size(); ++i) leave_out(reader.errors[i]);
    reader.errors.resize(errors);
    auto& found = reader.out.unsupported_in_run;
    for (std::size_t i = unsupported; i < found.size(); ++i) leave_out(found[i].message());
    found.resize(unsupported);
}

void read_all_normals(CaseReader& reader, const XmlElement& normals) {
    ignore_saved_files(reader, normals);
    if (auto e = normals.child("norgeometry")) {
        expect_children(*e, {"geometryfile", "distanceh", "maxsizeh", "svshapes"});
        ignore_saved_files(reader, *e);
        e->required_child("geometryfile");
        reader.collect([&] { read_geometry(reader, *e); });
    }
    reader.collect([&] { read_geometry(reader, normals); });
    for (const XmlElement& e : normals.children())
        reader.collect([&] {
            const LanguageEntry* word = find_word(Section::normal, e.name());
            if (!word)
                return reader.unknown(e.where(), fmt::format("<{}> in <normals>", e.name()),
                                      suggest_word(Section::normal, e.name()));
            if (word->support == Support::refused)
                return reader.unsupported(e.where(), fmt::format("<{}>", e.name()), word->advice);
            if (const std::string kind = kind_of(e.name(), "nor"); !kind.empty()) read_rule(reader, e, kind, false);
        });
}

} // namespace

void read_normals(CaseReader& reader, const XmlElement& normals) {
    for_modified_walls(reader, normals, [&] { read_all_normals(reader, normals); });
}

void read_initialize(CaseReader& reader, const XmlElement& initialize) {
    for (const XmlElement& e : initialize.children())
        reader.collect([&] {
            if (e.name() == "fluidvelocity") return read_initial(reader, e);
            if (!e.name().starts_with("boundnormal_"))
                return reader.unsupported(e.where(), fmt::format("<{}> in <initialize>", e.name()),
                                          "use casedef/initials");
            for_modified_walls(reader, e, [&] {
                if (const std::string kind = kind_of(e.name(), "boundnormal_"); !kind.empty())
                    return read_rule(reader, e, kind, true);
                reader.unsupported(e.where(), fmt::format("<{}> in <initialize>", e.name()),
                                   find_word(Section::normal, "norparts")->advice);
            });
        });
}

} // namespace sluice

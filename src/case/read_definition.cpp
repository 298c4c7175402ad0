// SPDX-License-Identifier: Apache-2.0
#include "case/command_runner.h"
#include "case/lattice_constants.h"
#include "case/reader.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <string>

namespace sluice {

namespace {

// More lattice planes than this on one axis, or nodes altogether, is a slip of the pen (dp in millimetres, say).
constexpr double max_planes = 1e7;
constexpr double max_nodes = 1e12;

void define_lattice_variables(CaseReader& reader) {
    const CaseDefinition& d = reader.out.definition;
    const char* axes = "xyz";
    for (int axis = 0; axis < 3; ++axis) {
        reader.variables.set(fmt::format("PosMin_{}", axes[axis]), d.point_min[axis], true);
        reader.variables.set(fmt::format("PosMax_{}", axes[axis]), d.point_max[axis], true);
        const double reference = d.point_ref.value_or(d.point_min)[axis];
        reader.variables.set(fmt::format("PosRef_{}", axes[axis]), reference, true);
    }
}

void check_extent(const CaseDefinition& d) {
    double nodes = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double extent = d.point_max[axis] - d.point_min[axis];
        const char name = "xyz"[axis];
        if (extent < 0)
            throw InputError(d.where, fmt::format("pointmin is above pointmax on axis {} ({} > {}), swap them", name,
                                                  d.point_min[axis], d.point_max[axis]));
        if (extent == 0 && axis != 1)
            throw InputError(
                d.where, fmt::format("the lattice has no extent on axis {}; only y may be a single plane (2-D)", name));
        const double planes = extent / d.dp + 1;
        if (!(planes <= max_planes))
            throw InputError(
                d.where, fmt::format("dp {} gives {:.3g} lattice planes on axis {} (at most {:.0e}), use a larger dp",
                                     d.dp, planes, name, max_planes));
        nodes *= planes;
    }
    if (nodes > max_nodes)
        throw InputError(
            d.where, fmt::format("dp {} gives {:.3g} lattice nodes (at most {:.0e}), use a larger dp or a smaller box",
                                 d.dp, nodes, max_nodes));
}

/// The variables that hold the spacing: Dp, and the one that the definition gives as dp.
std::set<std::string> names_of_spacing(const XmlElement& definition) {
    std::set<std::string> names{"Dp"};
    const std::string text(trim(definition.attribute("dp").value_or("")));
    const bool is_name = text.size() > 1 && text[0] == '#' &&
                         std::all_of(text.begin() + 1, text.end(),
                                     [](unsigned char c) { return std::isalnum(c) || c == '_' || c == ' '; }) &&
                         !std::isdigit(static_cast<unsigned char>(text[1]));
    if (is_name) names.emplace(trim(std::string_view(text).substr(1)));
    return names;
}

/// Whether the variables of the predefinition come before dp: dp is one of them, or they say Dp themselves. Others may
/// need dp.
bool sets_spacing(const XmlElement& definition, const std::optional<XmlElement>& predefinition) {
    if (definition.attribute("dp").value_or("").starts_with('#')) return true;
    if (!predefinition) return false;
    const auto children = predefinition->children();
    return std::any_of(children.begin(), children.end(),
                       [](const XmlElement& e) { return e.attribute("Dp").has_value(); });
}

double read_dp(CaseReader& reader, const XmlElement& definition) {
    const double dp = reader.overrides.dp ? *reader.overrides.dp : definition.number("dp");
    const SourceLocation where = reader.overrides.dp ? SourceLocation{"--dp", 0} : definition.where();
    if (!(dp > 0) || !std::isfinite(dp))
        throw InputError(where, fmt::format("dp must be positive ({}), it is the particle spacing in metres", dp));
    reader.record("definition", "dp", format_number(dp), true, where);
    return dp;
}

} // namespace

std::string name_of_case(const Case& the_case) {
    std::string name = the_case.file.stem().string();
    if (to_lower(name).ends_with("_def")) name.resize(name.size() - 4);
    return name;
}

void define_given_variables(CaseReader& reader) {
    const Case& c = reader.out;
    const double mass = lattice_mass_of(c);
    const std::pair<const char*, double> given[] = {{"H", smoothing_length_of(c)},
                                                    {"MassFluid", c.constants.mass_fluid.value_or(mass)},
                                                    {"MassBound", c.constants.mass_bound.value_or(mass)},
                                                    {"Data2D", c.definition.two_d},
                                                    {"Data2DPosy", c.definition.two_d ? c.definition.point_min.y : 0},
                                                    {"VResId", 0}};
    for (const auto& [name, value] : given) reader.variables.set(name, value, true);
    reader.variables.set_text("CaseName", name_of_case(c));
}

void read_mk_config(CaseReader& reader, const XmlElement& e) {
    reader.expect_attributes(e, {"boundcount", "fluidcount"});
    MkConfig& mk = reader.out.mk;
    if (e.attribute("boundcount")) mk.bound_count = e.integer("boundcount");
    if (e.attribute("fluidcount")) mk.fluid_count = e.integer("fluidcount");
    if (mk.bound_count < 1 || mk.fluid_count < 1 || mk.bound_count > 65534 - mk.fluid_count)
        e.fail(fmt::format("mkconfig: boundcount ({}) and fluidcount ({}) must be positive and at most 65534 together",
                           mk.bound_count, mk.fluid_count));
    for (const XmlElement& child : e.children()) {
        if (child.name() == "mkorientfluid" || child.name() == "mkorientbound") {
            reader.ignore(child, child.name()); // the order of ids only
            continue;
        }
        reader.unknown(child.where(), fmt::format("<{}> in <mkconfig>", child.name()), "");
    }
}

void read_predefinition(CaseReader& reader, const XmlElement& predefinition) {
    for (const XmlElement& e : predefinition.children()) {
        if (e.name() != "newvarcte" && e.name() != "newvar" && e.name() != "setvar")
            e.fail(fmt::format("<predefinition> has no <{}>, it knows newvarcte, newvar and setvar", e.name()));
        define_variables(reader, e, e.name() == "newvarcte");
    }
}

void read_definition(CaseReader& reader, const XmlElement& geometry) {
    const XmlElement e = geometry.required_child("definition");
    reader.expect_attributes(e, {"dp"});
    CaseDefinition& d = reader.out.definition;
    d.where = e.where();
    const auto predefinition = geometry.child("predefinition");
    const bool dp_depends = sets_spacing(e, predefinition);
    if (reader.overrides.dp) {
        for (const std::string& name : names_of_spacing(e)) {
            reader.variables.set(name, *reader.overrides.dp, true);
            reader.set_outside.insert(name);
        }
    } else if (dp_depends && predefinition) {
        read_predefinition(reader, *predefinition);
    }
    d.dp = read_dp(reader, e);
    reader.variables.set("Dp", d.dp, true);
    if ((reader.overrides.dp || !dp_depends) && predefinition) read_predefinition(reader, *predefinition);
    for (const XmlElement& child : e.children()) {
        if (child.name() != "pointref" && child.name() != "pointmin" && child.name() != "pointmax")
            child.fail(fmt::format("definition has no <{}>, it knows pointref, pointmin and pointmax", child.name()));
        reader.expect_attributes(child, {"x", "y", "z"});
    }
    if (auto ref = e.child("pointref")) d.point_ref = ref->vector();
    d.point_min = e.required_child("pointmin").vector();
    d.point_max = e.required_child("pointmax").vector();
    check_extent(d);
    d.two_d = d.point_min.y == d.point_max.y;
    define_lattice_variables(reader);
}

} // namespace sluice

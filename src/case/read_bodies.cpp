// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"
#include "case/reader.h"

#include <cmath>
#include <fmt/format.h>
#include <map>

namespace sluice {

std::vector<int> read_number_list(const XmlElement& e, const char* attribute, int limit) {
    std::vector<int> list;
    const auto number = [&](std::string_view text) {
        const double v = e.evaluate(std::string(text), attribute);
        if (v != std::floor(v) || v < 0 || v >= limit)
            e.fail(fmt::format("<{}> {}: {} is outside 0…{}", e.name(), attribute, v, limit - 1));
        return static_cast<int>(v);
    };
    for (const std::string& word : split_parts(e.required_attribute(attribute), ",")) {
        const auto dash = word.find('-', 1);
        const int first = number(std::string_view(word).substr(0, dash));
        const int last = dash == std::string::npos ? first : number(std::string_view(word).substr(dash + 1));
        for (int n = first; n <= last; ++n) list.push_back(n);
    }
    return list;
}

std::vector<int> read_mk_list(CaseReader& reader, const XmlElement& e, const char* attribute) {
    const bool fluid = std::string_view(attribute) == "mkfluid";
    return read_number_list(e, attribute, fluid ? reader.out.mk.fluid_count : reader.out.mk.bound_count);
}

namespace {

using Tensor = std::array<std::array<double, 3>, 3>;

Vec3d read_vector(const XmlElement& e) {
    require_attributes(e, {"x", "y", "z"});
    return e.vector();
}

Tensor read_inertia(const XmlElement& e) {
    const Vec3d v = read_vector(e);
    return {{{v.x, 0, 0}, {0, v.y, 0}, {0, 0, v.z}}};
}

/// Three rows <values>, with v11 v12 v13, v21 … v33.
Tensor read_full_inertia(const XmlElement& e) {
    expect_children(e, {"values"});
    const std::vector<XmlElement> rows = e.children();
    if (rows.size() != 3) e.fail(fmt::format("<{}> has {} rows <values>, it needs 3", e.name(), rows.size()));
    Tensor tensor{};
    for (std::size_t i = 0; i < 3; ++i) {
        std::vector<std::string> names;
        for (int j = 1; j <= 3; ++j) names.push_back(fmt::format("v{}{}", i + 1, j));
        require_attributes(rows[i], names);
        for (std::size_t j = 0; j < 3; ++j) tensor[i][j] = rows[i].number(names[j].c_str());
    }
    return tensor;
}

/// Which directions or axes a body is free in: 0 or 1 each.
Vec3d read_freedom(const XmlElement& e) {
    require_attributes(e, {"x", "y", "z"});
    const Vec3d v = e.vector({1, 1, 1});
    for (int axis = 0; axis < 3; ++axis)
        if (v[axis] != 0 && v[axis] != 1)
            e.fail(fmt::format("<{}> has the value {}: 0 holds the body, 1 leaves it free", e.name(), v[axis]));
    return v;
}

double read_mass(const XmlElement& e) {
    require_attributes(e, {"value"});
    const double mass = e.number("value");
    if (!(mass > 0)) e.fail(fmt::format("<{}> value {} is not above 0", e.name(), mass));
    return mass;
}

/// Vectors over time: rows <row_name> with time, x, y and z, or a file of such rows. `free`: "none" leaves an axis
/// free.
BodySeries read_series(CaseReader& reader, const XmlElement& e, const char* row_name, bool free) {
    require_attributes(e, {"file"});
    expect_children(e, {row_name});
    BodySeries series;
    series.where = e.where();
    series.file = e.attribute("file").value_or("");
    const std::vector<XmlElement> rows = e.children();
    if (series.file.empty() == rows.empty())
        e.fail(fmt::format("<{}> has {}: give one of them", e.name(),
                           rows.empty() ? fmt::format("neither file nor <{}>", row_name)
                                        : fmt::format("file and <{}>", row_name)));
    for (const XmlElement& row : rows) {
        require_attributes(row, {"time", "x", "y", "z"});
        BodySeries::Row& read = series.rows.emplace_back();
        read.time = row.number("time");
        const char* const names[] = {"x", "y", "z"};
        for (int axis = 0; axis < 3; ++axis) {
            const std::optional<std::string> text = row.attribute(names[axis]);
            if (!text && axis == 1 && reader.out.definition.two_d) continue; // held in the plane
            if (!free || !text || to_lower(*text) != "none") read.value[std::size_t(axis)] = row.number(names[axis]);
        }
        if (series.rows.size() > 1 && read.time < series.rows[series.rows.size() - 2].time)
            row.fail(fmt::format("<{}> time {} comes before that of the row before, {}: order the rows by time",
                                 row_name, read.time, series.rows[series.rows.size() - 2].time));
    }
    return series;
}

void read_floating_child(CaseReader& reader, const XmlElement& e, FloatingBody& body) {
    const std::string name = e.name();
    if (name == "massbody")
        body.mass = read_mass(e);
    else if (name == "masspart") {
        if (to_lower(e.required_attribute("value")) != "distributed_bodymass") body.mass_per_particle = read_mass(e);
    } else if (name == "center")
        body.center = read_vector(e);
    else if (name == "inertia")
        body.inertia = read_inertia(e);
    else if (name == "inertiafull")
        body.inertia = read_full_inertia(e);
    else if (name == "translationDOF")
        body.translation_dof = read_freedom(e);
    else if (name == "rotationDOF")
        body.rotation_dof = read_freedom(e);
    else if (name == "linearvelini")
        body.velocity = read_vector(e);
    else if (name == "angularvelini")
        body.angular_velocity = read_vector(e);
    else if (name == "linearvel")
        body.imposed_velocity = read_series(reader, e, "vel", true);
    else if (name == "angularvel")
        body.imposed_turning = read_series(reader, e, "vel", true);
    else if (name == "linearforce")
        body.outer_force = read_series(reader, e, "force", false);
    else if (name == "angularforce")
        body.outer_moment = read_series(reader, e, "force", false);
    else
        e.fail(fmt::format("<floating> has no <{}>, take it out", name));
}

FloatingBody read_floating(CaseReader& reader, const XmlElement& e) {
    require_attributes(e, {"mkbound", "rhopbody", "relativeweight", "property"});
    FloatingBody body;
    body.where = e.where();
    body.property = e.attribute("property").value_or("");
    body.rho_body = e.number("rhopbody", 0);
    if (body.rho_body < 0) e.fail(fmt::format("<floating> rhopbody {} is negative", body.rho_body));
    if (e.attribute("relativeweight")) {
        if (body.rho_body > 0) e.fail("<floating> has rhopbody and relativeweight, give one of them");
        const double weight = e.number("relativeweight");
        if (!(weight > 0)) e.fail(fmt::format("<floating> relativeweight {} is not above 0", weight));
        body.rho_body = weight * reader.out.constants.rho0;
    }
    std::map<std::string, int> given; // elements with their lines: each once
    for (const XmlElement& child : e.children()) {
        const auto [first, fresh] = given.try_emplace(child.name(), child.line());
        if (!fresh)
            child.fail(fmt::format("<{}> is given twice in <floating> (first on line {}), keep one", child.name(),
                                   first->second));
        read_floating_child(reader, child, body);
    }
    if (given.contains("inertia") && given.contains("inertiafull"))
        e.fail("<floating> has <inertia> and <inertiafull>, keep one");
    return body;
}

void add_floating(CaseReader& reader, const XmlElement& e, FloatingBody body, int mkbound) {
    for (const FloatingBody& other : reader.out.floatings)
        if (other.mkbound == mkbound)
            e.fail(fmt::format("<floating> mkbound {} is the body of line {} already", mkbound, other.where.line));
    body.mkbound = mkbound;
    reader.out.floatings.push_back(std::move(body));
}

} // namespace

void read_floatings(CaseReader& reader, const XmlElement& floatings) {
    for (const XmlElement& e : floatings.children()) {
        reader.collect([&] {
            if (e.name() != "floating") e.fail(fmt::format("<floatings> has no <{}>, it knows <floating>", e.name()));
            const FloatingBody body = read_floating(reader, e);
            for (const int mk : read_mk_list(reader, e, "mkbound")) add_floating(reader, e, body, mk);
        });
    }
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"
#include "case/reader.h"

#include <cmath>
#include <fmt/format.h>

namespace sluice {

std::vector<int> read_number_list(const XmlElement& e, const char* attribute, int limit) {
    std::vector<int> list;
    const auto number = [&](std::string_view text) {
        const double v = e.evaluate(std::string(text), attribute);
        if (v != std::floor(v) || v < 0 || v >= limit)
            e.fail(fmt::format("<{}> {}: {} is outside 0…{}", e.name(), attribute, v, limit - 1));
        return static_cast<int>(v);
    };
    for (const std::string& word : split_words(e.required_attribute(attribute), ",")) {
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

std::array<std::array<double, 3>, 3> read_inertia(const XmlElement& e) {
    const Vec3d v = e.vector();
    return {{{v.x, 0, 0}, {0, v.y, 0}, {0, 0, v.z}}};
}

std::array<std::array<double, 3>, 3> read_full_inertia(const XmlElement& e) {
    std::array<std::array<double, 3>, 3> out{};
    for (const XmlElement& row : e.children())
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const std::string name = fmt::format("v{}{}", i + 1, j + 1);
                if (row.attribute(name.c_str())) out[i][j] = row.number(name.c_str());
            }
    return out;
}

void read_floating_child(CaseReader& reader, const XmlElement& e, FloatingBody& body) {
    const std::string name = e.name();
    if (name == "massbody")
        body.mass = e.number("value");
    else if (name == "masspart") {
        if (to_lower(e.required_attribute("value")) != "distributed_bodymass")
            body.mass_per_particle = e.number("value");
    } else if (name == "center")
        body.center = e.vector();
    else if (name == "inertia")
        body.inertia = read_inertia(e);
    else if (name == "inertiafull")
        body.inertia = read_full_inertia(e);
    else if (name == "translationDOF")
        body.translation_dof = e.vector({1, 1, 1});
    else if (name == "rotationDOF")
        body.rotation_dof = e.vector({1, 1, 1});
    else if (name == "linearvelini")
        body.velocity = e.vector({0, 0, 0});
    else if (name == "angularvelini")
        body.angular_velocity = e.vector({0, 0, 0});
    else if (name == "linearvel" || name == "angularvel" || name == "linearforce" || name == "angularforce") {
        body.imposed_motion = true;
        reader.unsupported(e.where(), fmt::format("<{}>", name), "let the body move freely");
    } else
        e.fail(fmt::format("<floating> has no <{}>, take it out", name));
}

} // namespace

void read_floatings(CaseReader& reader, const XmlElement& floatings) {
    for (const XmlElement& e : floatings.children()) {
        reader.collect([&] {
            if (e.name() != "floating") e.fail(fmt::format("<floatings> has no <{}>, it knows <floating>", e.name()));
            reader.expect_attributes(e, {"mkbound", "rhopbody", "relativeweight", "property"});
            FloatingBody body;
            body.where = e.where();
            body.rho_body = e.number("rhopbody", 0);
            if (e.attribute("relativeweight")) body.rho_body = e.number("relativeweight") * reader.out.constants.rho0;
            for (const XmlElement& child : e.children()) read_floating_child(reader, child, body);
            for (int mk : read_mk_list(reader, e, "mkbound")) {
                body.mkbound = mk;
                reader.out.floatings.push_back(body);
            }
        });
    }
}

} // namespace sluice

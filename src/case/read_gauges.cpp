// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <string_view>

namespace sluice {

namespace {

/// What <default> and each gauge may say about times.
struct GaugeTiming {
    double start = 0, end = 1e300;
    std::optional<double> compute_dt, output_dt;
    bool output = true;
};

void read_interval(const XmlElement& e, GaugeTiming& t) {
    t.start = e.number("start", t.start);
    t.end = e.number("end", t.end);
    if (t.end < t.start) e.fail(fmt::format("<{}> ends ({}) before it starts ({})", e.name(), t.end, t.start));
}

double read_interval_length(const XmlElement& e) {
    const double dt = e.number("value");
    if (dt < 0) e.fail(fmt::format("<{}> must not be negative ({})", e.name(), format_number(dt)));
    return dt;
}

/// Whether `e` was about timing.
bool read_timing(const XmlElement& e, GaugeTiming& t) {
    const std::string name = e.name();
    if (name == "computetime" || name == "outputtime")
        read_interval(e, t);
    else if (name == "computedt")
        t.compute_dt = read_interval_length(e);
    else if (name == "outputdt")
        t.output_dt = read_interval_length(e);
    else if (name == "output")
        t.output = e.boolean("value", true);
    else if (name != "savevtkpart")
        return false;
    return true;
}

/// A length given in metres, or as a multiple of the particle spacing.
double read_length(CaseReader& reader, const XmlElement& e) {
    const double length = e.attribute("coefdp") ? e.number("coefdp") * reader.out.definition.dp : e.number("value");
    if (!(length > 0)) e.fail(fmt::format("<{}> must be positive ({})", e.name(), format_number(length)));
    return length;
}

/// The share of the reference mass at which the surface is: given so, or as a mass.
double read_mass_limit(CaseReader& reader, const XmlElement& e) {
    if (e.attribute("coef")) return e.number("coef");
    const CaseDefinition& d = reader.out.definition;
    return e.number("value") / (reader.out.constants.rho0 * d.dp * d.dp * (d.two_d ? 1 : d.dp));
}

SurfaceLine read_swl(CaseReader& reader, const XmlElement& e) {
    SurfaceLine line;
    line.mass_limit = reader.out.definition.two_d ? 0.4 : 0.5;
    line.point_spacing = 0.5 * reader.out.definition.dp;
    if (const auto child = e.child("pointdp")) line.point_spacing = read_length(reader, *child);
    if (const auto child = e.child("masslimit")) line.mass_limit = read_mass_limit(reader, *child);
    line.point0 = e.required_child("point0").vector();
    line.point2 = e.required_child("point2").vector();
    if (line.point0 == line.point2) e.fail("<swl> point0 and point2 are the same, the line needs a length");
    return line;
}

HighestFluid read_maxz(CaseReader& reader, const XmlElement& e) {
    HighestFluid gauge;
    gauge.point0 = e.required_child("point0").vector();
    gauge.height = read_length(reader, e.required_child("height"));
    gauge.distance = 2 * reader.out.definition.dp;
    if (const auto child = e.child("distlimit")) {
        const bool in_h = child->attribute("coefh").has_value();
        gauge.distance = in_h ? 0 : read_length(reader, *child);
        if (in_h) gauge.distance_h = child->number("coefh");
        if (in_h && !(gauge.distance_h > 0)) child->fail("<distlimit> must be positive");
    }
    return gauge;
}

Vec3d cross(const Vec3d& a, const Vec3d& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

FlowRectangle read_flowrate(CaseReader& reader, const XmlElement& e) {
    FlowRectangle flow;
    flow.spacing = reader.out.definition.dp;
    if (const auto child = e.child("pointdp")) flow.spacing = read_length(reader, *child);
    flow.point0 = e.required_child("point0").vector();
    flow.point1 = e.required_child("point1").vector();
    // A line of the plane x-z stands for a metre of width.
    if (reader.out.definition.two_d && !e.child("point2"))
        flow.point2 = flow.point0 + Vec3d{0, 1, 0};
    else
        flow.point2 = e.required_child("point2").vector();
    const Vec3d side1 = flow.point1 - flow.point0, side2 = flow.point2 - flow.point0;
    const Vec3d normal = cross(side1, side2);
    if (!(dot(normal, normal) > 0)) e.fail("<flowrate> has no area, its three corners lie on one line");
    if (dot(side1, side2) * dot(side1, side2) > 1e-12 * dot(side1, side1) * dot(side2, side2))
        e.fail("<flowrate> has no right angle at point0, its corners make no rectangle");
    return flow;
}

/// One kind of gauge: its name, the children that it has besides those about timing, and who reads them.
struct GaugeWord {
    const char* name;
    std::initializer_list<std::string_view> children;
    GaugeKind (*read)(CaseReader& reader, const XmlElement& e);
};

const GaugeWord gauge_words[] = {
    {"swl",
     {"pointdp", "masslimit", "point0", "point2"},
     [](CaseReader& r, const XmlElement& e) -> GaugeKind { return read_swl(r, e); }},
    {"velocity",
     {"point"},
     [](CaseReader&, const XmlElement& e) -> GaugeKind { return VelocityPoint{e.required_child("point").vector()}; }},
    {"pressure",
     {"point"},
     [](CaseReader&, const XmlElement& e) -> GaugeKind { return PressurePoint{e.required_child("point").vector()}; }},
    {"maxz",
     {"point0", "height", "distlimit"},
     [](CaseReader& r, const XmlElement& e) -> GaugeKind { return read_maxz(r, e); }},
    {"force",
     {"target"},
     [](CaseReader&, const XmlElement& e) -> GaugeKind {
         return BoundaryForce{e.required_child("target").integer("mkbound")};
     }},
    {"flowrate",
     {"pointdp", "point0", "point1", "point2"},
     [](CaseReader& r, const XmlElement& e) -> GaugeKind { return read_flowrate(r, e); }},
};

/// The name becomes a file name.
std::string read_name(CaseReader& reader, const XmlElement& e) {
    std::string name = e.required_attribute("name");
    if (name.empty() || name.find_first_of("/\\:*?\"<>|\n") != std::string::npos || name[0] == '.')
        e.fail(fmt::format("gauge name \"{}\" cannot be a file name, use letters, digits, '-' and '_'", name));
    for (const Gauge& other : reader.out.gauges)
        if (other.name == name)
            e.fail(fmt::format("there is a gauge \"{}\" already (line {}), give this one another name", name,
                               other.where.line));
    return name;
}

Gauge read_gauge(CaseReader& reader, const XmlElement& e, const GaugeWord& word, const GaugeTiming& defaults) {
    Gauge gauge;
    GaugeTiming timing = defaults;
    gauge.where = e.where();
    reader.expect_attributes(e, {"name"});
    gauge.name = read_name(reader, e);
    for (const XmlElement& child : e.children())
        if (!read_timing(child, timing) &&
            std::find(word.children.begin(), word.children.end(), child.name()) == word.children.end())
            child.fail(fmt::format("<{}> has no <{}>, take it out", e.name(), child.name()));
    gauge.kind = word.read(reader, e);
    gauge.start = timing.start;
    gauge.end = timing.end;
    gauge.output_dt = timing.output_dt ? *timing.output_dt : timing.compute_dt.value_or(reader.out.parameters.time_out);
    return gauge;
}

void read_one(CaseReader& reader, const XmlElement& e, const GaugeTiming& defaults) {
    const LanguageEntry* entry = find_word(Section::gauge, e.name());
    if (!entry)
        e.fail(fmt::format("there is no gauge <{}>{}, take it out", e.name(), suggest_word(Section::gauge, e.name())));
    if (entry->support == Support::ignored)
        reader.warn(e.where(),
                    fmt::format("gauge <{}> \"{}\" is left out: it does not change the motion, but nothing measures it",
                                e.name(), e.attribute("name").value_or("")));
    for (const GaugeWord& word : gauge_words)
        if (e.name() == word.name) reader.out.gauges.push_back(read_gauge(reader, e, word, defaults));
}

} // namespace

void read_gauges(CaseReader& reader, const XmlElement& gauges) {
    GaugeTiming defaults;
    if (auto e = gauges.child("default"))
        for (const XmlElement& child : e->children())
            reader.collect([&] {
                if (!read_timing(child, defaults))
                    child.fail(fmt::format("<default> of gauges has no <{}>, take it out", child.name()));
            });
    for (const XmlElement& e : gauges.children()) reader.collect([&] { read_one(reader, e, defaults); });
}

} // namespace sluice

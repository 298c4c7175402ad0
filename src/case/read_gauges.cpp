// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/reader.h"
#include "core/nearest_word.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <initializer_list>
#include <sstream>
#include <string_view>
#include <unordered_map>

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

/// Whether `e` was about timing and output.
bool read_timing(CaseReader& reader, const XmlElement& e, GaugeTiming& t) {
    const std::string name = e.name();
    if (name == "computetime" || name == "outputtime")
        read_interval(e, t);
    else if (name == "computedt")
        t.compute_dt = read_interval_length(e);
    else if (name == "outputdt")
        t.output_dt = read_interval_length(e);
    else if (name == "output")
        t.output = e.boolean("value", true);
    else if (name != "savevtkpart" && name != "savevtk")
        return false;
    else if (e.boolean("value", false))
        reader.ignore(e, name + " of gauges, which are written as CSV only");
    return true;
}

/// The words of `read_timing`, behind others.
std::vector<std::string> timing_words(std::vector<std::string> words = {}) {
    words.insert(words.end(),
                 {"computetime", "computedt", "outputtime", "outputdt", "output", "savevtkpart", "savevtk"});
    return words;
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

/// Each sample goes through all points.
void require_few_points(const XmlElement& e, double points) {
    constexpr double most = 1e7;
    if (points > most)
        e.fail(fmt::format("<{}> has {:g} points, 1e7 are the most: choose a larger spacing", e.name(), points));
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
    require_few_points(e, norm(line.point2 - line.point0) / line.point_spacing);
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
    require_few_points(e, std::max(1.0, norm(side1) / flow.spacing) * std::max(1.0, norm(side2) / flow.spacing));
    return flow;
}

/// One direction of a lattice of points: vecN and sizeN.
struct MeshSide {
    Vec3d vector;       ///< from the first point to the end, m
    double spacing = 0; ///< m
};

/// The direction number `n`; of no length where it is left out or has no vector.
MeshSide read_mesh_side(const XmlElement& e, int n) {
    const std::string vec = fmt::format("vec{}", n), size = fmt::format("size{}", n);
    MeshSide side;
    const auto direction = e.child(vec.c_str());
    if (!direction) return side;
    const Vec3d v = direction->vector();
    const double away = norm(v);
    if (away == 0) return side;
    const XmlElement extent = e.required_child(size.c_str());
    const double length = extent.number("length");
    side.spacing = extent.number("distpt");
    if (length < 0) extent.fail(fmt::format("<{}> length must not be negative ({})", size, format_number(length)));
    if (!(side.spacing > 0))
        extent.fail(fmt::format("<{}> distpt must be positive ({})", size, format_number(side.spacing)));
    side.vector = (length / away) * v;
    return side;
}

Vec3d read_unit_vector(const XmlElement& e) {
    const Vec3d v = e.vector();
    if (norm(v) == 0) e.fail(fmt::format("<{}> is no direction, all of it is zero", e.name()));
    return normalized(v);
}

/// The fraction of fluid that a place needs; empty for "none".
std::optional<double> read_support(const XmlElement& e) {
    std::optional<double> support = 0.5;
    const auto child = e.child("kclimit");
    if (!child) return support;
    if (child->required_attribute("value") == "none") return std::nullopt;
    support = child->number("value");
    if (*support < 0 || *support > 1)
        child->fail(fmt::format("<kclimit> must lie in 0 to 1 ({})", format_number(*support)));
    return support;
}

FlowRectangle read_flow_gauge(const XmlElement& e) {
    const MeshSide side1 = read_mesh_side(e, 1), side2 = read_mesh_side(e, 2);
    FlowRectangle flow;
    flow.spacing = side1.spacing;
    flow.spacing2 = side2.spacing;
    flow.point0 = e.required_child("point").vector();
    flow.point1 = flow.point0 + side1.vector;
    flow.point2 = flow.point0 + side2.vector;
    flow.direction = read_unit_vector(e.required_child("dirdat"));
    flow.support = read_support(e).value_or(0);
    const Vec3d normal = cross(side1.vector, side2.vector);
    if (!(dot(normal, normal) > 0)) e.fail("<flow> has no area: vec1 with size1 and vec2 with size2 must span one");
    require_few_points(e, std::max(1.0, norm(side1.vector) / flow.spacing) *
                              std::max(1.0, norm(side2.vector) / flow.spacing2));
    return flow;
}

void read_mesh_data(const XmlElement& e, MeasuringMesh& mesh) {
    std::string list = e.required_attribute("value");
    std::replace(list.begin(), list.end(), ',', ' ');
    std::istringstream words(list);
    for (std::string word; words >> word;) {
        std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::tolower(c); });
        if (word == "vel")
            mesh.velocity = true;
        else if (word == "veldir")
            mesh.along = true;
        else if (word == "rhop")
            mesh.density = true;
        else if (word == "zsurf")
            mesh.surface = true;
        else
            e.fail(fmt::format("<outputdata> knows vel, veldir, rhop and zsurf, but not {}", word));
    }
    if (!mesh.velocity && !mesh.along && !mesh.density && !mesh.surface) e.fail("<outputdata> names no data");
}

MeasuringMesh read_measuring_mesh(CaseReader& reader, const XmlElement& e) {
    MeasuringMesh mesh;
    mesh.origin = e.required_child("point").vector();
    double points = 1;
    for (int n = 0; n < 3; ++n) {
        const MeshSide side = read_mesh_side(e, n + 1);
        if (side.spacing == 0) continue;
        const double length = norm(side.vector);
        const double count = std::floor(length / side.spacing + 1e-6) + 1; // a whole number, but for rounding
        mesh.count[n] = static_cast<int>(std::min(count, 1e9));
        if (length > 0) mesh.step[n] = (side.spacing / length) * side.vector;
        points *= count;
    }
    require_few_points(e, points);
    if (const auto child = e.child("dirdat")) mesh.direction = read_unit_vector(*child);
    read_mesh_data(e.required_child("outputdata"), mesh);
    if (mesh.surface && mesh.count.z < 2)
        e.fail("<mesh> needs vec3 and size3 to look for the surface (zsurf) along it");
    if (const auto child = e.child("outputfmt");
        child && child->required_attribute("value").find("bin") != std::string::npos)
        reader.warn(child->where(), "<outputfmt> bin is not written, the table is written as csv");
    mesh.support = read_support(e);
    if (const auto child = e.child("kcdummy"); child && child->required_attribute("value") != "none")
        mesh.dummy = child->number("value");
    mesh.mass_limit = reader.out.definition.two_d ? 0.4 : 0.5;
    if (const auto child = e.child("masslimit")) mesh.mass_limit = read_mass_limit(reader, *child);
    return mesh;
}

/// One kind of gauge: its name, the children that it has besides those about timing, and the function that reads them.
struct GaugeWord {
    const char* name;
    std::initializer_list<std::string_view> children;
    GaugeKind (*read)(CaseReader& reader, const XmlElement& e);
};

const GaugeWord gauge_words[] = {
    {"swl",
     {"pointdp", "masslimit", "point0", "point2", "follow"},
     [](CaseReader& r, const XmlElement& e) -> GaugeKind { return read_swl(r, e); }},
    {"velocity",
     {"point", "follow"},
     [](CaseReader&, const XmlElement& e) -> GaugeKind { return VelocityPoint{e.required_child("point").vector()}; }},
    {"pressure",
     {"point", "follow"},
     [](CaseReader&, const XmlElement& e) -> GaugeKind { return PressurePoint{e.required_child("point").vector()}; }},
    {"maxz",
     {"point0", "height", "distlimit", "follow"},
     [](CaseReader& r, const XmlElement& e) -> GaugeKind { return read_maxz(r, e); }},
    {"force",
     {"target"},
     [](CaseReader&, const XmlElement& e) -> GaugeKind {
         return BoundaryForce{e.required_child("target").integer("mkbound")};
     }},
    {"flowrate",
     {"pointdp", "point0", "point1", "point2", "follow"},
     [](CaseReader& r, const XmlElement& e) -> GaugeKind { return read_flowrate(r, e); }},
    {"flow",
     {"point", "vec1", "vec2", "size1", "size2", "dirdat", "buffersize", "kclimit", "follow"},
     [](CaseReader&, const XmlElement& e) -> GaugeKind { return read_flow_gauge(e); }},
    {"mesh",
     {"point", "vec1", "vec2", "vec3", "size1", "size2", "size3", "dirdat", "outputdata", "outputfmt", "buffersize",
      "kclimit", "kcdummy", "masslimit", "follow"},
     [](CaseReader& r, const XmlElement& e) -> GaugeKind { return read_measuring_mesh(r, e); }},
    {"place",
     {"point", "follow"},
     [](CaseReader&, const XmlElement& e) -> GaugeKind {
         e.required_child("follow");
         return MaterialPlace{e.required_child("point").vector()};
     }},
};

/// The names so far, and in which line each is.
using GaugeLines = std::unordered_map<std::string, int>;

/// The name becomes a file name.
std::string read_name(const XmlElement& e, GaugeLines& lines) {
    constexpr std::size_t longest = 200; // a file's name has 255 bytes at most, with what comes behind this one
    std::string name = e.required_attribute("name");
    if (name.empty() || name.find_first_of("/\\:*?\"<>|\n") != std::string::npos || name[0] == '.')
        e.fail(fmt::format("gauge name \"{}\" cannot be a file name, use letters, digits, '-' and '_'", name));
    if (name.size() > longest)
        e.fail(fmt::format("gauge name \"{:.20}…\" has {} bytes and is to be a file name: take {} at most", name,
                           name.size(), longest));
    if (const auto [other, is_new] = lines.try_emplace(name, e.line()); !is_new)
        e.fail(
            fmt::format("there is a gauge \"{}\" already (line {}), give this one another name", name, other->second));
    return name;
}

Gauge read_gauge(CaseReader& reader, const XmlElement& e, const GaugeWord& word, const GaugeTiming& defaults,
                 GaugeLines& lines) {
    Gauge gauge;
    GaugeTiming timing = defaults;
    gauge.where = e.where();
    reader.expect_attributes(e, {"name"});
    gauge.name = read_name(e, lines);
    for (const XmlElement& child : e.children())
        if (!read_timing(reader, child, timing) &&
            std::find(word.children.begin(), word.children.end(), child.name()) == word.children.end())
            child.fail(
                fmt::format("<{}> has no <{}>{}, take it out; it has {}", e.name(), child.name(),
                            suggest_nearest(child.name(), timing_words({word.children.begin(), word.children.end()})),
                            fmt::join(word.children, ", ")));
    gauge.kind = word.read(reader, e);
    if (const auto child = e.child("follow")) {
        reader.expect_attributes(*child, {"mkbound"});
        gauge.follow = child->integer("mkbound");
    }
    gauge.start = timing.start;
    gauge.end = timing.end;
    gauge.output_dt = timing.output_dt ? *timing.output_dt : timing.compute_dt.value_or(reader.out.parameters.time_out);
    return gauge;
}

void read_one(CaseReader& reader, const XmlElement& e, const GaugeTiming& defaults, GaugeLines& lines) {
    const LanguageEntry* entry = find_word(Section::gauge, e.name());
    if (!entry)
        e.fail(fmt::format("there is no gauge <{}>{}, take it out", e.name(), suggest_word(Section::gauge, e.name())));
    for (const GaugeWord& word : gauge_words)
        if (e.name() == word.name) reader.out.gauges.push_back(read_gauge(reader, e, word, defaults, lines));
}

} // namespace

void read_gauges(CaseReader& reader, const XmlElement& gauges) {
    GaugeTiming defaults;
    if (auto e = gauges.child("default"))
        for (const XmlElement& child : e->children())
            reader.collect([&] {
                if (!read_timing(reader, child, defaults))
                    child.fail(fmt::format("<default> of gauges has no <{}>{}, take it out", child.name(),
                                           suggest_nearest(child.name(), timing_words())));
            });
    GaugeLines lines;
    for (const Gauge& gauge : reader.out.gauges) lines.try_emplace(gauge.name, gauge.where.line);
    for (const XmlElement& e : gauges.children()) reader.collect([&] { read_one(reader, e, defaults, lines); });
}

} // namespace sluice

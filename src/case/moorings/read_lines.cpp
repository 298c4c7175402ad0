// SPDX-License-Identifier: Apache-2.0
#include "case/moorings/read_lines.h"

#include "case/element_values.h"
#include <map>

namespace sluice {

namespace {

/// What all lines share: depths by the body, and what is not given for each.
struct Shared {
    double depth = 0;             ///< waterDepth, m
    std::map<int, double> depths; ///< of the lines of a body, by mkbound
    std::set<int> bodies;         ///< that lines may name
    std::optional<XmlElement> defaults;
};

/// The time step of lines. `auto` has no meaning: a step that lines do not bear is always shortened.
double read_step(const XmlElement& options, double absent) {
    const std::optional<XmlElement> e = options.child("dtM");
    if (!e) return absent;
    require_attributes(*e, {"value", "auto"});
    e->boolean("auto", true);
    const double step = e->number("value");
    if (!(step > 0)) e->fail(fmt::format("<dtM> is {} s, it must be above 0", step));
    return step;
}

void read_options(CaseReader& reader, const XmlElement& e, Shared& shared, MooringsDef& out) {
    const ElementValues values(reader, e,
                               {"waterDepth", "freesurface", "kBot", "cBot", "dtM", "waveKin", "writeUnits",
                                "frictionCoefficient", "fricDamp", "statDynFricScale", "dtIC", "cdScaleIC", "threshIC",
                                "tmaxIC"});
    values.expect_known();
    MooringWater& water = out.water;
    shared.depth = values.positive("waterDepth");
    water.surface = values.number("freesurface", 0);
    water.bed_stiffness = values.at_least("kBot", 3e6, 0);
    water.bed_damping = values.at_least("cBot", 3e5, 0);
    water.friction = values.at_least("frictionCoefficient", 0, 0);
    water.friction_damping = values.at_least("fricDamp", 200, 0);
    water.static_friction = values.at_least("statDynFricScale", 1, 1);
    if (!(water.bed_stiffness > 0)) e.fail("<kBot> is 0, it must be above 0: the bottom holds what lies on it");
    out.step = read_step(e, out.step);
    out.relaxation = values.at_least("tmaxIC", 0, 0);
    out.relaxation_window = values.positive("dtIC", values.number("dtIC", 1));
    out.relaxation_change = values.at_least("threshIC", 1e-3, 0);
    out.relaxation_drag = values.at_least("cdScaleIC", 5, 0);
    if (values.number("waveKin", 0) != 0)
        reader.unsupported(e.where(), fmt::format("<waveKin> {} (waves that lines feel)", values.number("waveKin", 0)),
                           "set it to 0: lines feel still water");
    if (e.child("writeUnits")) values.value_of("writeUnits").boolean("value", true); // tables always have units
}

void read_bodies(CaseReader& reader, const XmlElement& e, Shared& shared, const MooringsDef& out) {
    expect_children(e, {"body"});
    for (const XmlElement& body : e.children()) {
        require_attributes(body, {"ref", "active"});
        for (const int mk : read_mk_list(reader, body, "ref")) {
            if (std::find(out.bodies.begin(), out.bodies.end(), mk) == out.bodies.end())
                body.fail(fmt::format("<body> ref {0} is not named in <mooredfloatings>: add <floating "
                                      "mkbound=\"{0}\"/> there",
                                      mk));
            shared.bodies.insert(mk);
            const ElementValues values(reader, body, {"depth"});
            values.expect_known();
            if (body.child("depth")) shared.depths[mk] = values.positive("depth");
        }
    }
}

void read_connects(const XmlElement& e, MooringsDef& out) {
    expect_children(e, {"connect"});
    for (const XmlElement& connect : e.children()) {
        require_attributes(connect, {"conref", "x", "y", "z", "M", "V"});
        MooringConnectDef def{connect.where(), connect.integer("conref"), {}};
        def.values = {connect.number("M", 0), connect.number("V", 0), connect.vector()};
        if (def.values.mass < 0 || def.values.volume < 0)
            connect.fail(
                fmt::format("<connect> M {} and V {} must not be negative", def.values.mass, def.values.volume));
        for (const MooringConnectDef& other : out.connects)
            if (other.ref == def.ref)
                connect.fail(fmt::format("<connect> conref {} is that of line {} already", def.ref, other.where.line));
        out.connects.push_back(def);
    }
}

/// A number of a line, else of linedefault, else `absent`.
double number_of(const XmlElement& line, const Shared& shared, const char* name, double absent, double least) {
    for (const XmlElement* from : {&line, shared.defaults ? &*shared.defaults : nullptr}) {
        if (!from) continue;
        const std::optional<XmlElement> e = from->child(name);
        if (!e) continue;
        require_attributes(*e, {"value"});
        const double value = e->number("value");
        if (!(value >= least)) e->fail(fmt::format("<{}> is {}, it must be {} at least", name, value, least));
        return value;
    }
    return absent;
}

double positive_of(const XmlElement& line, const Shared& shared, const char* name) {
    const double value = number_of(line, shared, name, 0, 0);
    if (!(value > 0)) line.fail(fmt::format("<line> has no <{}> above 0: add one, or add it to <linedefault>", name));
    return value;
}

/// EA from ea, or from e and the area; what the line has stands above what linedefault has.
double read_stiffness(const XmlElement& line, const Shared& shared, double diameter) {
    for (const XmlElement* from : {&line, shared.defaults ? &*shared.defaults : nullptr}) {
        if (!from || (!from->child("ea") && !from->child("e"))) continue;
        if (from->child("ea") && from->child("e"))
            from->fail(fmt::format("<{}> has ea and e, which depend on each other: give one of them", from->name()));
        const bool whole = from->child("ea").has_value();
        const double value = positive_of(*from, {}, whole ? "ea" : "e");
        return whole ? value : value * 0.25 * 3.14159265358979323846 * diameter * diameter;
    }
    line.fail("<line> has no stiffness: add <ea> or <e> to it or to <linedefault>");
}

/// Which columns of nodes a table has; what of outputFlags it does not have is named once.
std::string read_flags(CaseReader& reader, const XmlElement& line, const Shared& shared) {
    for (const XmlElement* from : {&line, shared.defaults ? &*shared.defaults : nullptr}) {
        if (!from) continue;
        const std::optional<XmlElement> e = from->child("outputFlags");
        if (!e) continue;
        require_attributes(*e, {"value"});
        std::string known;
        for (const char c : e->required_attribute("value")) {
            if (std::string("-UDcd").find(c) != std::string::npos) {
                if (c != '-') reader.ignore(*e, fmt::format("outputFlags {} of moorings", c));
            } else if (std::string("pvts").find(c) != std::string::npos) {
                known += c;
            } else {
                e->fail(fmt::format("<outputFlags> has the letter {}: it knows p (places), v (velocities), t "
                                    "(tensions), s (strains)",
                                    c));
            }
        }
        return known;
    }
    return "";
}

int find_connect(const XmlElement& e, const MooringsDef& out) {
    const int ref = e.integer("conref");
    for (std::size_t c = 0; c < out.connects.size(); ++c)
        if (out.connects[c].ref == ref) return static_cast<int>(c);
    e.fail(fmt::format("<connect> conref {0} is not in <connects>: add <connect conref=\"{0}\" x=… y=… z=… M=… V=…/>",
                       ref));
}

bool is_end(const std::string& name) {
    return name == "vesselconnection" || name == "fixconnection" || name == "connect";
}

/// `depth`: that of the body which the end names, if any.
LineEndDef read_end(CaseReader& reader, const XmlElement& e, const Shared& shared, const MooringsDef& out,
                    std::optional<double>& depth) {
    LineEndDef end;
    if (e.name() == "connect") {
        require_attributes(e, {"conref"});
        end.hold = LineHold::connect;
        end.connect = find_connect(e, out);
        end.place = out.connects[static_cast<std::size_t>(end.connect)].values.place;
        return end;
    }
    require_attributes(e, {"bodyref", "x", "y", "z"});
    const bool floats = e.name() == "vesselconnection";
    if (floats) e.required_attribute("bodyref");
    end.place = e.vector();
    if (!e.attribute("bodyref")) return end;
    const std::vector<int> mks = read_mk_list(reader, e, "bodyref");
    if (mks.size() != 1 || !shared.bodies.contains(mks[0]))
        e.fail(fmt::format("<{}> bodyref {} is no body of <bodies>: add <body ref=\"{}\"/> there", e.name(),
                           e.required_attribute("bodyref"), mks.empty() ? 0 : mks[0]));
    if (const auto found = shared.depths.find(mks[0]); found != shared.depths.end() && !depth) depth = found->second;
    if (!floats) return end; // bodyref of a fixconnection says whose depth holds
    end.hold = LineHold::body;
    end.mkbound = mks[0];
    return end;
}

const std::vector<std::string>& properties_of_lines() {
    static const std::vector<std::string> all{"e",   "ea",  "diameter", "massDenInAir", "ba",         "can",
                                              "cat", "cdn", "cdt",      "breaktension", "outputFlags"};
    return all;
}

void read_line(CaseReader& reader, const XmlElement& e, const Shared& shared, MooringsDef& out) {
    require_attributes(e, {"savedata", "active"});
    std::vector<std::string> known = properties_of_lines();
    for (const char* own : {"vesselconnection", "fixconnection", "connect", "length", "segments", "depth"})
        known.emplace_back(own);
    expect_children(e, known);
    MooringLineDef line;
    line.where = e.where();
    line.has_table = e.boolean("savedata", true);
    std::optional<double> depth;
    int ends = 0;
    for (const XmlElement& child : e.children()) {
        if (!is_end(child.name())) continue;
        if (ends < 2) line.end[ends] = read_end(reader, child, shared, out, depth);
        ++ends;
    }
    if (ends != 2)
        e.fail(fmt::format("<line> has {} ends, it needs two of vesselconnection, fixconnection and connect", ends));
    const ElementValues values(reader, e, {"length", "segments", "depth"});
    MooringLine& v = line.values;
    v.length = values.positive("length");
    constexpr int most_segments = 10000;
    v.segments = values.whole("segments", 0, 1, most_segments);
    line.depth = e.child("depth") ? values.positive("depth") : depth.value_or(shared.depth);
    v.diameter = positive_of(e, shared, "diameter");
    v.mass = positive_of(e, shared, "massDenInAir");
    v.stiffness = read_stiffness(e, shared, v.diameter);
    const double ba = number_of(e, shared, "ba", -0.8, -1e300);
    v.damping = ba < 0 ? -ba * v.length / v.segments * std::sqrt(v.stiffness * v.mass) : ba;
    v.normal_added_mass = number_of(e, shared, "can", v.normal_added_mass, 0);
    v.tangential_added_mass = number_of(e, shared, "cat", v.tangential_added_mass, 0);
    v.normal_drag = number_of(e, shared, "cdn", v.normal_drag, 0);
    v.tangential_drag = number_of(e, shared, "cdt", v.tangential_drag, 0);
    v.most_tension = number_of(e, shared, "breaktension", 0, 0);
    line.columns = read_flags(reader, e, shared);
    out.lines.push_back(std::move(line));
}

void read_tables(const XmlElement& e, LineTables& out) {
    expect_children(e, {"time", "tension", "force", "velocity", "position"});
    const auto wants = [&](const char* name) {
        const std::optional<XmlElement> child = e.child(name);
        if (!child) return false;
        require_attributes(*child, {"value"});
        return child->boolean("value", false);
    };
    out.tension = wants("tension");
    out.force = wants("force");
    out.velocity = wants("velocity");
    out.position = wants("position");
    const std::optional<XmlElement> time = e.child("time");
    if (!time) return;
    require_attributes(*time, {"starTime", "startTime", "endTime", "dtOut"});
    out.start = time->number("starTime", time->number("startTime", 0));
    out.end = time->number("endTime", out.end);
    out.interval = time->number("dtOut", out.interval);
    if (out.start < 0 || out.end < out.start)
        time->fail(fmt::format("<time> of <savedata> goes from {} to {} s: it must not be negative, nor go back",
                               out.start, out.end));
}

} // namespace

void read_mooring_lines(CaseReader& reader, const XmlElement& given, MooringsDef& out) {
    require_attributes(given, {"file", "active"});
    expect_children(given, {"solverOptions", "bodies", "connects", "lines", "savedata"});
    Shared shared;
    read_options(reader, given.required_child("solverOptions"), shared, out);
    if (const auto bodies = given.child("bodies")) read_bodies(reader, *bodies, shared, out);
    if (const auto connects = given.child("connects")) read_connects(*connects, out);
    if (const auto tables = given.child("savedata")) read_tables(*tables, out.tables);
    const XmlElement lines = given.required_child("lines");
    expect_children(lines, {"linedefault", "line"});
    shared.defaults = lines.child("linedefault");
    if (shared.defaults) {
        require_attributes(*shared.defaults, {"active"});
        expect_children(*shared.defaults, properties_of_lines());
    }
    for (const XmlElement& line : lines.children("line")) reader.collect([&] { read_line(reader, line, shared, out); });
    if (lines.children("line").empty()) lines.fail("<lines> has no <line>: add one, or take <moorings> out");
}

} // namespace sluice

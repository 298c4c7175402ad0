// SPDX-License-Identifier: Apache-2.0
#include "case/wave_values.h"

#include <cmath>
#include <limits>

namespace sluice {

namespace {

const std::vector<std::string> of_zone{"start", "duration", "coefdt", "function"};

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

Vec3d vector_of(const XmlElement& e) {
    require_attributes(e, {"x", "y", "z"});
    return e.vector();
}

/// What all kinds of zones have.
void read_zone_values(const ElementValues& values, RelaxationZone& zone) {
    zone.start = values.at_least("start", 0, 0);
    const double duration = values.at_least("duration", 0, 0);
    zone.end = duration > 0 ? zone.start + duration : std::numeric_limits<double>::infinity();
    zone.rate = values.at_least("coefdt", 1000, 0);
    const auto function = values.element().child("function");
    if (!function) return;
    require_attributes(*function, {"psi", "beta"});
    zone.weight = function->number("psi", 0.9);
    zone.shape = function->number("beta", 1);
    if (!(zone.weight > 0 && zone.weight <= 1))
        function->fail(fmt::format("<function> psi {} is not between 0 and 1", zone.weight));
    if (!(zone.shape > 0)) function->fail(fmt::format("<function> beta {} must be above 0", zone.shape));
}

/// What zones across x have.
void read_strip(const ElementValues& values, RelaxationDef& def) {
    const XmlElement& e = values.element();
    read_zone_values(values, def.zone);
    def.zone.centre = vector_of(e.required_child("center"));
    def.zone.half.x = 0.5 * values.positive("width");
    def.zone.factor = {1, 0, 0};
    if (const auto factor = e.child("coefdir")) def.zone.factor = vector_of(*factor);
    for (int axis = 0; axis < 3; ++axis)
        if (!(def.zone.factor[axis] >= 0 && def.zone.factor[axis] <= 1))
            e.fail(fmt::format("<{}> coefdir {} is not between 0 and 1", e.name(), def.zone.factor[axis]));
    def.drift = values.number("driftcorrection", 0);
    if (!(def.drift >= 0 && def.drift <= 1))
        e.fail(fmt::format("<{}> driftcorrection {} is not between 0 and 1", e.name(), def.drift));
}

/// The names of the files PREFIX_velx_x00_y00.csv … of one component.
std::vector<std::string> external_files(CaseReader& reader, const XmlElement& e, const std::string& component) {
    const XmlElement name = e.required_child("filesvel"), range = e.required_child("filesvelx");
    require_attributes(name, {"value"});
    require_attributes(range, {"initial", "count"});
    const int first = range.integer("initial"), count = range.integer("count");
    if (first < 0 || count < 1 || count > 10000)
        range.fail(
            fmt::format("<filesvelx> initial {} and count {}: one file at least, numbered from 0 on", first, count));
    const std::string prefix = read_data_file(reader, name, "value");
    std::vector<std::string> files;
    for (int k = first; k < first + count; ++k)
        files.push_back(fmt::format("{}_{}_x{:02}_y00.csv", prefix, component, k));
    return files;
}

RelaxationDef read_external_zone(CaseReader& reader, const XmlElement& e) {
    const ElementValues values(
        reader, e,
        with(of_zone, {"depth", "swl", "filesvel", "filesvelx", "usevelz", "movedata", "dpz", "smooth", "center",
                       "width", "coefdir", "driftcorrection", "driftinitialramp"}));
    values.expect_known();
    RelaxationDef def;
    def.where = e.where();
    def.zone.kind = RelaxationZone::Kind::table;
    read_strip(values, def);
    def.zone.depth = values.at_least("depth", 0, 0);
    def.zone.still = values.number("swl", 0);
    if (def.drift > 0 && !(def.zone.depth > 0)) e.fail("<rzwaves_external_1d> driftcorrection needs <depth> and <swl>");
    ExternalWaves waves;
    waves.files_x = external_files(reader, e, "velx");
    if (const auto use = e.child("usevelz"); use && values.value_of("usevelz").boolean("value", false))
        waves.files_z = external_files(reader, e, "velz");
    if (const auto move = e.child("movedata")) waves.move = vector_of(*move);
    waves.step = 2 * reader.out.definition.dp;
    if (const auto step = e.child("dpz")) {
        require_attributes(*step, {"value", "valuedp"});
        if (step->attribute("value") && step->attribute("valuedp"))
            step->fail("<dpz> has both value and valuedp: give one");
        waves.step =
            step->attribute("value") ? step->number("value") : step->number("valuedp") * reader.out.definition.dp;
        if (!(waves.step > 0)) step->fail(fmt::format("<dpz> {} must be above 0", waves.step));
    }
    waves.smooth = values.whole("smooth", 0, 0, 1000000);
    waves.ignored = values.at_least("driftinitialramp", 0, 0);
    def.external = std::move(waves);
    return def;
}

RelaxationDef read_waves_zone(CaseReader& reader, const XmlElement& e, WaveKind kind) {
    std::vector<std::string> known = with(of_zone, {"waveorder", "waveheight", "waveperiod", "depth", "swl", "center",
                                                    "width", "coefdir", "driftcorrection", "savemotion"});
    known = kind == WaveKind::regular
                ? with(known, {"phase", "ramp"})
                : with(known, {"spectrum", "discretization", "peakcoef", "waves", "randomseed", "ramptime", "serieini",
                               "saveserie", "saveseriewaves", "calcserielength"});
    const ElementValues values(reader, e, known);
    values.expect_known();
    RelaxationDef def;
    def.where = def.waves.where = e.where();
    def.waves.name = e.name();
    def.waves.kind = kind;
    def.waves.depth = def.zone.depth = values.positive("depth");
    read_waves(values, def.waves);
    if (def.waves.order == 2 && kind == WaveKind::spectrum)
        reader.unsupported(e.child("waveorder")->where(), fmt::format("<{}> waveorder 2", e.name()),
                           "take waveorder 1");
    read_strip(values, def);
    def.zone.ramp = def.waves.ramp;
    def.zone.still = values.value_of("swl").number("value");
    for (const char* table : {"savemotion", "saveserie", "saveseriewaves", "calcserielength"})
        if (const auto child = e.child(table)) reader.ignore(*child, fmt::format("{} of <{}>", table, e.name()));
    return def;
}

void read_domain_box(CaseReader& reader, const XmlElement& box, RelaxationZone& zone) {
    require_attributes(box, {});
    expect_children(box, {"point", "size", "direction", "rotateaxis"});
    if (const auto turn = box.child("rotateaxis"))
        reader.unsupported(turn->where(), "<rotateaxis> of <domainbox>", "give a box along the axes");
    const Vec3d point = vector_of(box.required_child("point")), size = vector_of(box.required_child("size"));
    for (int axis = 0; axis < 3; ++axis)
        if (!(size[axis] >= 0)) box.fail(fmt::format("<domainbox> size {} is negative", size[axis]));
    zone.half = 0.5 * size;
    zone.centre = point + zone.half;
    const Vec3d d = read_nonzero_vector(box.required_child("direction"));
    zone.direction = normalized(d);
    if (!(zone.half.x > 0 && zone.half.z > 0)) box.fail("<domainbox> has no extent: give it a size along x and z");
}

std::vector<SpeedSample> read_speeds(const ElementValues& values) {
    const auto times = values.element().child("velocitytimes");
    if (!times) return {{0, values.value_of("velocity").number("value")}};
    expect_children(*times, {"timevalue"});
    std::vector<SpeedSample> speeds;
    for (const XmlElement& row : times->children()) {
        require_attributes(row, {"time", "v"});
        speeds.push_back({row.number("time"), row.number("v")});
        if (speeds.size() > 1 && !(speeds.back().time > speeds[speeds.size() - 2].time))
            row.fail(fmt::format("<timevalue> time {} does not come after that of the one before ({})",
                                 speeds.back().time, speeds[speeds.size() - 2].time));
    }
    if (speeds.empty()) times->fail("<velocitytimes> has no <timevalue>");
    return speeds;
}

RelaxationDef read_uniform_zone(CaseReader& reader, const XmlElement& e) {
    const ElementValues values(reader, e, with(of_zone, {"domainbox", "velocity", "velocitytimes"}));
    values.expect_known();
    RelaxationDef def;
    def.where = e.where();
    def.zone.kind = RelaxationZone::Kind::uniform;
    read_zone_values(values, def.zone);
    read_domain_box(reader, e.required_child("domainbox"), def.zone);
    def.speeds = read_speeds(values);
    return def;
}

void read_relaxation_zone(CaseReader& reader, const XmlElement& e) {
    require_attributes(e, {});
    const std::string name = e.name();
    if (name == "rzwaves_regular")
        reader.out.relaxation.push_back(read_waves_zone(reader, e, WaveKind::regular));
    else if (name == "rzwaves_spectrum")
        reader.out.relaxation.push_back(read_waves_zone(reader, e, WaveKind::spectrum));
    else if (name == "rz_uniform" || name == "rzwaves_uniform")
        reader.out.relaxation.push_back(read_uniform_zone(reader, e));
    else if (name == "rzwaves_external_1d")
        reader.out.relaxation.push_back(read_external_zone(reader, e));
    else
        e.fail(fmt::format("<relaxationzones> has no <{}>, it knows rzwaves_regular, rzwaves_spectrum, "
                           "rzwaves_external_1d and rz_uniform",
                           name));
}

} // namespace

void read_relaxation_zones(CaseReader& reader, const XmlElement& zones) {
    require_attributes(zones, {});
    for (const XmlElement& e : zones.children()) reader.collect([&] { read_relaxation_zone(reader, e); });
}

} // namespace sluice

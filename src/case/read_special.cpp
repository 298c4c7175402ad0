// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/reader.h"

#include <fmt/format.h>

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
    if (name == "computetime" || name == "outputtime") read_interval(e, t);
    else if (name == "computedt") t.compute_dt = read_interval_length(e);
    else if (name == "outputdt") t.output_dt = read_interval_length(e);
    else if (name == "output") t.output = e.boolean("value", true);
    else if (name != "savevtkpart") return false;
    return true;
}

double read_spacing(CaseReader& reader, const XmlElement& e) {
    const double spacing = e.attribute("coefdp") ? e.number("coefdp") * reader.out.definition.dp : e.number("value");
    if (!(spacing > 0)) e.fail(fmt::format("<pointdp> must be positive ({})", format_number(spacing)));
    return spacing;
}

/// The share of the reference mass at which the surface is: given so, or as a mass.
double read_mass_limit(CaseReader& reader, const XmlElement& e) {
    if (e.attribute("coef")) return e.number("coef");
    const CaseDefinition& d = reader.out.definition;
    return e.number("value") / (reader.out.constants.rho0 * d.dp * d.dp * (d.two_d ? 1 : d.dp));
}

SwlGauge read_swl(CaseReader& reader, const XmlElement& e, const GaugeTiming& defaults) {
    SwlGauge gauge;
    GaugeTiming timing = defaults;
    gauge.where = e.where();
    reader.expect_attributes(e, {"name"});
    gauge.name = e.required_attribute("name");
    // The name becomes a file name.
    if (gauge.name.empty() || gauge.name.find_first_of("/\\:*?\"<>|\n") != std::string::npos || gauge.name[0] == '.')
        e.fail(fmt::format("gauge name \"{}\" cannot be a file name, use letters, digits, '-' and '_'", gauge.name));
    gauge.mass_limit = reader.out.definition.two_d ? 0.4 : 0.5;
    gauge.point_spacing = 0.5 * reader.out.definition.dp;
    for (const XmlElement& child : e.children()) {
        if (read_timing(child, timing)) continue;
        if (child.name() == "pointdp") gauge.point_spacing = read_spacing(reader, child);
        else if (child.name() == "masslimit") gauge.mass_limit = read_mass_limit(reader, child);
        else if (child.name() != "point0" && child.name() != "point2")
            child.fail(fmt::format("<swl> has no <{}>, take it out", child.name()));
    }
    gauge.point0 = e.required_child("point0").vector();
    gauge.point2 = e.required_child("point2").vector();
    if (gauge.point0 == gauge.point2) e.fail("<swl> point0 and point2 are the same, the line needs a length");
    gauge.start = timing.start;
    gauge.end = timing.end;
    gauge.output_dt = timing.output_dt ? *timing.output_dt : timing.compute_dt.value_or(reader.out.parameters.time_out);
    return gauge;
}

void read_gauges(CaseReader& reader, const XmlElement& gauges) {
    GaugeTiming defaults;
    if (auto e = gauges.child("default"))
        for (const XmlElement& child : e->children())
            reader.collect([&] {
                if (!read_timing(child, defaults)) child.fail(fmt::format("<default> of gauges has no <{}>, take it out", child.name()));
            });
    for (const XmlElement& e : gauges.children()) {
        reader.collect([&] {
            const LanguageEntry* word = find_word(Section::gauge, e.name());
            if (!word) e.fail(fmt::format("there is no gauge <{}>{}, take it out", e.name(), suggest_word(Section::gauge, e.name())));
            if (word->support == Support::ignored)
                reader.warn(e.where(), fmt::format("gauge <{}> \"{}\" is left out: it does not change the motion, but nothing measures it", e.name(), e.attribute("name").value_or("")));
            if (e.name() == std::string("swl")) reader.out.gauges.push_back(read_swl(reader, e, defaults));
        });
    }
}

} // namespace

void read_special(CaseReader& reader, const XmlElement& special) {
    for (const XmlElement& e : special.children()) {
        reader.collect([&] {
            const LanguageEntry* word = find_word(Section::special, e.name());
            if (!word) reader.unknown(e.where(), fmt::format("<{}> in <special>", e.name()), suggest_word(Section::special, e.name()));
            else if (e.name() == "gauges") read_gauges(reader, e);
            else if (word->support == Support::refused) reader.unsupported(e.where(), fmt::format("<{}>", e.name()), word->advice);
        });
    }
}

} // namespace sluice

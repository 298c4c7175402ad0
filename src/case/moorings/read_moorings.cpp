// SPDX-License-Identifier: Apache-2.0
#include "case/element_values.h"
#include "case/moorings/read_lines.h"
#include "case/repair.h"
#include "core/input_file.h"
#include "core/nearest_word.h"

#include <set>

namespace sluice {

namespace {

void read_start(const XmlElement& e, MooringsDef& out) {
    require_attributes(e, {"value", "ramptime"});
    out.start = e.number("value");
    out.ramp = e.number("ramptime", 0);
    if (out.start < 0 || out.ramp < 0)
        e.fail(fmt::format("<start> value {} and ramptime {} must not be negative", out.start, out.ramp));
}

void read_moored_bodies(CaseReader& reader, const XmlElement& e, MooringsDef& out) {
    expect_children(e, {"floating"});
    for (const XmlElement& body : e.children()) {
        require_attributes(body, {"mkbound", "active"});
        for (const int mk : read_mk_list(reader, body, "mkbound")) {
            if (std::none_of(reader.out.floatings.begin(), reader.out.floatings.end(),
                             [&](const FloatingBody& given) { return given.mkbound == mk; }))
                body.fail(fmt::format("<floating> mkbound {0} is not named in <floatings>: add <floating "
                                      "mkbound=\"{0}\" …> there",
                                      mk));
            out.bodies.push_back(mk);
        }
    }
}

/// The element of the lines in a file of its own, at its root or below the elements of a case.
const tinyxml2::XMLElement* find_lines(const tinyxml2::XMLNode& document) {
    for (const tinyxml2::XMLElement* e = document.FirstChildElement(); e; e = e->NextSiblingElement()) {
        const std::string name = e->Name();
        if (name == "moordyn" || name == "moordynplus") return e;
        if (const tinyxml2::XMLElement* below = find_lines(*e)) return below;
    }
    return nullptr;
}

void read_line_file(CaseReader& reader, const XmlElement& e, MooringsDef& out) {
    out.file = read_data_file(reader, e, "file");
    const std::filesystem::path file = reader.out.data_folder / out.file;
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        e.fail(fmt::format("the file {} is not there: put it beside the case, or write the lines into <{}>",
                           file.string(), e.name()));
    require_inside(reader.out.data_folder, file, e.where());
    std::vector<Repair> repairs;
    tinyxml2::XMLDocument document;
    parse_xml(document, repair_xml(read_xml_file(file), repairs), file.string());
    const tinyxml2::XMLElement* const lines = find_lines(document);
    if (!lines) e.fail(fmt::format("{} has no <moordyn> or <moordynplus>", file.string()));
    XmlSource source{file.string(), reader.variables};
    read_mooring_lines(reader, XmlElement(lines, source), out);
}

} // namespace

void read_moorings(CaseReader& reader, const XmlElement& moorings) {
    require_attributes(moorings, {"active"});
    MooringsDef& out = reader.out.moorings;
    out.where = moorings.where();
    if (reader.out.parameters.integrator == sph::Integrator::staggered)
        reader.unsupported(moorings.where(), "<moorings> with StepAlgorithm 3 (staggered steps)",
                           "set StepAlgorithm to 2");
    static const std::set<std::string> drawings{"savevtk_moorings", "savevtk_lines", "savevtk_points",
                                                "savecsv_points"};
    std::vector<XmlElement> lines;
    for (const XmlElement& e : moorings.children()) {
        reader.collect([&] {
            if (e.name() == "start")
                read_start(e, out);
            else if (e.name() == "mooredfloatings")
                read_moored_bodies(reader, e, out);
            else if (e.name() == "moordyn" || e.name() == "moordynplus")
                lines.push_back(e);
            else if (drawings.contains(e.name()))
                reader.ignore(e, e.name() + " of moorings");
            else
                reader.unknown(e.where(), fmt::format("<{}> in <moorings>", e.name()),
                               suggest_nearest(e.name(), {"start", "mooredfloatings", "moordyn", "moordynplus"}));
        });
    }
    if (lines.size() != 1)
        moorings.fail(lines.empty() ? "<moorings> has no lines: add <moordynplus>, or take <moorings> out"
                                    : fmt::format("<moorings> has its lines more than once, in lines {} and {} of the "
                                                  "file",
                                                  lines[0].line(), lines[1].line()));
    require_attributes(lines.front(), {"file", "active"});
    if (lines.front().attribute("file"))
        read_line_file(reader, lines.front(), out);
    else
        read_mooring_lines(reader, lines.front(), out);
}

} // namespace sluice

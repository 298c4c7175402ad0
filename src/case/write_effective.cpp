// SPDX-License-Identifier: Apache-2.0
#include "case/write_effective.h"

#include "case/repair.h"
#include "case/xml_element.h"
#include <fmt/format.h>
#include <functional>
#include <sstream>
#include <tinyxml2.h>

namespace sluice {

namespace {

using tinyxml2::XMLDocument;
using tinyxml2::XMLElement;

/// The text was read before, so that it can be parsed.
void parse_again(XMLDocument& document, const std::string& text) {
    std::vector<Repair> repairs;
    const std::string repaired = repair_xml(text, repairs);
    if (document.Parse(repaired.data(), repaired.size()) != tinyxml2::XML_SUCCESS || !document.RootElement())
        throw RunError("the case cannot be parsed a second time");
}

std::string text_of(const XMLDocument& document) {
    tinyxml2::XMLPrinter printer;
    document.Print(&printer);
    return std::string(printer.CStr(), printer.CStrSize() - 1);
}

/// The element of that name that is switched on; made if there is none and `make`.
XMLElement* active_child(XMLElement* parent, const char* name, bool make) {
    for (auto* e = parent->FirstChildElement(name); e; e = e->NextSiblingElement(name))
        if (is_active(*e)) return e;
    return make ? parent->InsertNewChildElement(name) : nullptr;
}

/// All <parameter> elements of a key that are switched on: a key may be given twice with the same value.
std::vector<XMLElement*> parameters_of(XMLElement* parameters, const std::string& key) {
    std::vector<XMLElement*> found;
    for (auto* e = parameters->FirstChildElement("parameter"); e; e = e->NextSiblingElement("parameter"))
        if (is_active(*e) && e->Attribute("key") && key == e->Attribute("key")) found.push_back(e);
    return found;
}

std::string origin_of(const EffectiveValue& value) {
    if (!value.given) return "default";
    if (value.where.file == scheme_place) return scheme_place;
    return value.where.line > 0 ? fmt::format("line {} of the case", value.where.line) : "command line";
}

void set_constant(XMLElement* constantsdef, const EffectiveValue& value) {
    XMLElement* e = active_child(constantsdef, value.name.c_str(), true);
    if (value.name == "gravity") {
        std::istringstream numbers(value.value);
        for (const char* axis : {"x", "y", "z"}) {
            std::string number;
            numbers >> number;
            e->SetAttribute(axis, number.c_str());
        }
    } else {
        const bool derived = value.value == "auto";
        derived ? e->DeleteAttribute("value") : e->SetAttribute("value", value.value.c_str());
        e->DeleteAttribute("auto");
        if (derived) e->SetAttribute("auto", "true");
    }
    e->SetAttribute("comment", origin_of(value).c_str());
}

void set_parameter(XMLElement* parameters, const EffectiveValue& value) {
    std::vector<XMLElement*> elements = parameters_of(parameters, value.name);
    if (elements.empty()) elements.push_back(parameters->InsertNewChildElement("parameter"));
    for (XMLElement* e : elements) {
        e->SetAttribute("key", value.name.c_str());
        e->SetAttribute("value", value.value.c_str());
        e->SetAttribute("comment", origin_of(value).c_str());
    }
}

XMLElement* parameters_in(XMLDocument& document) {
    XMLElement* execution = active_child(document.RootElement(), "execution", true);
    return active_child(execution, "parameters", true);
}

/// Comments in the sense of XML and of the case language.
void remove_comments(tinyxml2::XMLNode* node) {
    for (auto* child = node->FirstChild(); child;) {
        auto* next = child->NextSibling();
        if (child->ToComment())
            node->DeleteChild(child);
        else
            remove_comments(child);
        child = next;
    }
    if (auto* e = node->ToElement()) e->DeleteAttribute("comment");
}

} // namespace

std::string effective_case(const Case& the_case, const CaseOverrides& overrides, const std::string& data_folder) {
    XMLDocument document;
    parse_again(document, the_case.source);
    document.RootElement()->SetAttribute("files", data_folder.c_str());
    XMLElement* casedef = active_child(document.RootElement(), "casedef", true);
    if (overrides.dp) {
        XMLElement* definition = active_child(active_child(casedef, "geometry", true), "definition", true);
        definition->SetAttribute("dp", fmt::format("{}", *overrides.dp).c_str());
    }
    for (const EffectiveValue& value : the_case.effective) {
        if (value.section == "constantsdef") set_constant(active_child(casedef, "constantsdef", true), value);
        if (value.section == "parameters") set_parameter(parameters_in(document), value);
    }
    return text_of(document);
}

std::string with_time_max(const std::string& effective, double time_max) {
    XMLDocument document;
    parse_again(document, effective);
    for (XMLElement* e : parameters_of(parameters_in(document), "TimeMax")) {
        e->SetAttribute("value", fmt::format("{}", time_max).c_str());
        e->SetAttribute("comment", "--tmax of a resume");
    }
    return text_of(document);
}

std::string essence_of(const std::string& effective) {
    XMLDocument document;
    parse_again(document, effective);
    XMLElement* parameters = parameters_in(document);
    for (XMLElement* e : parameters_of(parameters, "TimeMax")) parameters->DeleteChild(e);
    remove_comments(&document);
    return text_of(document);
}

} // namespace sluice

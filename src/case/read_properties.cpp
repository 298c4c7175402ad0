// SPDX-License-Identifier: Apache-2.0
#include "case/read_shapes.h"
#include "case/reader.h"
#include "case/repair.h"

#include "core/input_file.h"
#include <fmt/format.h>

namespace sluice {

namespace {

std::optional<double> number_of(const XmlElement& e, const std::string& attribute) {
    try {
        return e.evaluate(e.attribute(attribute.c_str()).value_or(""), attribute.c_str());
    } catch (const InputError&) {
        return std::nullopt; // a colour, say
    }
}

/// Values stand as attributes, or as elements with the attribute value.
MaterialProperty read_property(const XmlElement& e) {
    MaterialProperty property{e.where(), e.required_attribute("name"), {}};
    for (const std::string& attribute : e.attribute_names())
        if (attribute != "name")
            if (const auto value = number_of(e, attribute)) property.values[attribute] = *value;
    for (const XmlElement& child : e.children())
        if (child.attribute("value"))
            if (const auto value = number_of(child, "value")) property.values[child.name()] = *value;
    return property;
}

std::vector<MaterialProperty> properties_in(const XmlElement& parent) {
    std::vector<MaterialProperty> properties;
    for (const XmlElement& e : parent.children())
        if (e.name() == "property") properties.push_back(read_property(e));
    return properties;
}

} // namespace

void read_properties(CaseReader& reader, const XmlElement& properties) {
    expect_children(properties, {"property", "propertyfile", "links"});
    MaterialProperties& out = reader.out.properties;
    out.given = properties_in(properties);
    for (const XmlElement& e : properties.children()) {
        if (e.name() == "propertyfile") {
            require_attributes(e, {"file", "path"});
            out.files.push_back({e.where(), e.required_attribute("file"), e.required_attribute("path")});
        }
        if (e.name() != "links") continue;
        expect_children(e, {"link"});
        for (const XmlElement& link : e.children()) {
            require_attributes(link, {"mkbound", "mkfluid", "property"});
            const auto list = [&](const char* name) {
                return link.attribute(name) ? read_mk_list(reader, link, name) : std::vector<int>{};
            };
            out.links.push_back({link.where(), list("mkbound"), list("mkfluid"), link.required_attribute("property")});
        }
    }
}

std::vector<MaterialProperty> read_property_file(const std::filesystem::path& file, const std::string& path,
                                                 const SourceLocation& where) {
    const std::string name = file.string();
    std::error_code error;
    if (!std::filesystem::exists(file, error))
        throw InputError(where, fmt::format("the file {} is not there: put it beside the case, or write its properties "
                                            "into <properties>",
                                            name));
    require_inside(std::filesystem::path(where.file).parent_path(), file, where);
    std::vector<Repair> repairs;
    tinyxml2::XMLDocument document;
    parse_xml(document, repair_xml(read_xml_file(file), repairs), name);
    const Variables none;
    XmlSource source{name, none};
    const tinyxml2::XMLElement* element = nullptr;
    for (const std::string& part : split_words(path, ".")) {
        element = element ? element->FirstChildElement(part.c_str()) : document.FirstChildElement(part.c_str());
        if (!element) throw InputError(where, fmt::format("{} has no element {} (path {})", name, part, path));
    }
    if (!element) throw InputError(where, "<propertyfile> path is empty: name the element that holds the properties");
    return properties_in(XmlElement(element, source));
}

} // namespace sluice

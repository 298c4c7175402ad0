// SPDX-License-Identifier: Apache-2.0
#include "setup/property_book.h"

#include "core/error.h"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <sstream>

namespace sluice {

std::optional<double> PropertyChoice::find(const std::string& name) const {
    for (const std::string& word : {name + "_User", name}) {
        std::optional<double> value;
        for (const MaterialProperty* p : used_) {
            const auto found = p->values.find(word);
            if (found == p->values.end()) continue;
            if (value && *value != found->second)
                throw InputError(where_,
                                 fmt::format("the properties \"{}\" give {} twice, {} and {}: keep one, or write "
                                             "{}_User",
                                             names_, word, *value, found->second, name));
            value = found->second;
        }
        if (value) return value;
    }
    return std::nullopt;
}

double PropertyChoice::value(const std::string& name, const char* why) const {
    if (const std::optional<double> value = find(name)) return *value;
    throw InputError(where_, fmt::format("the property \"{}\" has no {}: {}", names_, name, why));
}

void PropertyChoice::require(bool holds, const char* what, double value) const {
    if (!holds || !std::isfinite(value))
        throw InputError(where_, fmt::format("the property \"{}\": {} ({})", names_, what, value));
}

PropertyBook::PropertyBook(const Case& definition) {
    for (const PropertyFile& file : definition.properties.files)
        add(read_property_file(definition.data_folder / file.file, file.path, file.where));
    add(definition.properties.given);
}

PropertyChoice PropertyBook::choose(const std::string& names, const SourceLocation& where) const {
    std::vector<const MaterialProperty*> used;
    std::istringstream words(names);
    for (std::string name; std::getline(words, name, '+');) {
        name.erase(0, name.find_first_not_of(" \t"));
        name.erase(name.find_last_not_of(" \t") + 1);
        const auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& p) { return p.name == name; });
        if (found == all_.end())
            throw InputError(where, fmt::format("there is no property \"{}\": write it into <properties>, or into a "
                                                "propertyfile",
                                                name));
        used.push_back(&*found);
    }
    return {std::move(used), names, where};
}

void PropertyBook::add(const std::vector<MaterialProperty>& properties) {
    for (const MaterialProperty& p : properties) {
        for (const MaterialProperty& other : all_)
            if (other.name == p.name)
                throw InputError(p.where, fmt::format("the property \"{}\" is given in {}:{} too, keep one", p.name,
                                                      other.where.file, other.where.line));
        all_.push_back(p);
    }
}

NamedProperty property_of(const Case& definition, const ParticleGroup& group, int algorithm) {
    NamedProperty named{"", {definition.file.string(), 0}};
    const auto take = [&](const std::string& property, const SourceLocation& where) {
        if (!named.property.empty() && named.property != property)
            throw InputError(where, fmt::format("mkbound {} has the properties \"{}\" and \"{}\", keep one",
                                                group.mk_type, named.property, property));
        named = {property, where};
    };
    for (const FloatingBody& body : definition.floatings)
        if (body.mkbound == group.mk_type) {
            named.where = body.where;
            if (!body.property.empty()) take(body.property, body.where);
        }
    for (const PropertyLink& link : definition.properties.links)
        if (std::count(link.mkbound.begin(), link.mkbound.end(), group.mk_type) > 0) take(link.property, link.where);
    if (named.property.empty())
        throw InputError(named.where,
                         fmt::format("RigidAlgorithm {} needs to know what mkbound {} is made of: {}", algorithm,
                                     group.mk_type,
                                     group.type == ParticleType::floating
                                         ? "give its <floating> a property, or take RigidAlgorithm 1"
                                         : "name it in a <link> of <properties>, or take RigidAlgorithm 1"));
    return named;
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "case/reader.h"

#include "core/nearest_word.h"
#include <algorithm>
#include <fmt/format.h>

namespace sluice {

void CaseReader::expect_attributes(const XmlElement& e, std::initializer_list<const char*> known) {
    for (const std::string& name : e.attribute_names()) {
        const bool expected = std::any_of(known.begin(), known.end(), [&](const char* k) { return name == k; });
        if (!expected)
            warn(e.where(), fmt::format("<{}>: the attribute {}{} means nothing here and is left out", e.name(), name,
                                        suggest_nearest(name, {known.begin(), known.end()})));
    }
}

std::optional<std::string> CaseReader::override_for(const std::string& key) {
    std::optional<std::string> value;
    for (const auto& [name, text] : overrides.set) {
        if (to_lower(name) != to_lower(key)) continue;
        value = text;
        used_overrides.insert(to_lower(name));
    }
    return value;
}

void CaseReader::record(const char* section, const std::string& name, std::string value, bool given,
                        SourceLocation where) {
    out.effective.push_back({section, name, std::move(value), given, std::move(where)});
}

EarlyParameter early_parameter(CaseReader& reader, const XmlElement& top, const char* key) {
    EarlyParameter given{{"command line", 0}, reader.override_for(key)};
    const auto execution = top.child("execution");
    const auto parameters = execution ? execution->child("parameters") : std::nullopt;
    if (given.text || !parameters) return given;
    for (const XmlElement& e : parameters->children("parameter"))
        if (e.attribute("key") == key) given = {e.where(), e.attribute("value")};
    return given;
}

} // namespace sluice

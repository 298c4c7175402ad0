// SPDX-License-Identifier: Apache-2.0
#include "case/write_effective.h"

#include <fmt/format.h>
#include <tinyxml2.h>

namespace sluice {

void write_effective_case(const Case& the_case, const std::filesystem::path& path) {
    tinyxml2::XMLDocument document;
    document.InsertEndChild(document.NewDeclaration());
    auto* root = document.NewElement("effective-case");
    root->SetAttribute("file", the_case.file.string().c_str());
    document.InsertEndChild(root);
    for (const EffectiveValue& value : the_case.effective) {
        auto* section = root->FirstChildElement(value.section.c_str());
        if (!section) section = root->InsertNewChildElement(value.section.c_str());
        auto* entry = section->InsertNewChildElement("value");
        entry->SetAttribute("name", value.name.c_str());
        entry->SetAttribute("value", value.value.c_str());
        entry->SetAttribute("given", value.given);
        if (value.given && value.where.line > 0) entry->SetAttribute("line", value.where.line);
    }
    if (document.SaveFile(path.string().c_str()) != tinyxml2::XML_SUCCESS)
        throw RunError(
            fmt::format("{}: cannot write the effective case, check the folder and the free space", path.string()));
}

} // namespace sluice

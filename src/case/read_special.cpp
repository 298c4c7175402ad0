// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/reader.h"

#include <algorithm>
#include <fmt/format.h>

namespace sluice {

namespace {

/// Whether what an element asks for changes nothing here: nothing at all, or normals of walls that have none.
bool changes_nothing(const XmlElement& e) {
    const auto children = e.children();
    if (e.name() != "initialize") return false;
    return std::all_of(children.begin(), children.end(),
                       [](const XmlElement& child) { return child.name().starts_with("boundnormal"); });
}

} // namespace

void read_special(CaseReader& reader, const XmlElement& special) {
    for (const XmlElement& e : special.children()) {
        reader.collect([&] {
            const LanguageEntry* word = find_word(Section::special, e.name());
            if (!word)
                reader.unknown(e.where(), fmt::format("<{}> in <special>", e.name()),
                               suggest_word(Section::special, e.name()));
            else if (e.name() == "gauges")
                read_gauges(reader, e);
            else if (word->support == Support::ignored || changes_nothing(e))
                reader.ignore(e, e.name());
            else if (word->support == Support::refused)
                reader.unsupported(e.where(), fmt::format("<{}>", e.name()), word->advice);
        });
    }
}

} // namespace sluice

// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/reader.h"

#include <fmt/format.h>

namespace sluice {

void read_special(CaseReader& reader, const XmlElement& special) {
    for (const XmlElement& e : special.children()) {
        reader.collect([&] {
            const LanguageEntry* word = find_word(Section::special, e.name());
            if (!word)
                reader.unknown(e.where(), fmt::format("<{}> in <special>", e.name()),
                               suggest_word(Section::special, e.name()));
            else if (e.name() == "gauges")
                read_gauges(reader, e);
            else if (e.name() == "initialize")
                read_initialize(reader, e);
            else if (e.name() == "damping")
                read_damping(reader, e);
            else if (e.name() == "relaxationzones")
                read_relaxation_zones(reader, e);
            else if (e.name() == "accinputs")
                read_acceleration_inputs(reader, e);
            else if (e.name() == "inout")
                read_open_zones(reader, e);
            else if (e.name() == "wavepaddles")
                read_paddles(reader, e);
            else if (word->support == Support::ignored)
                reader.ignore(e, e.name());
            else if (word->support == Support::refused)
                reader.unsupported(e.where(), fmt::format("<{}>", e.name()), word->advice);
        });
    }
}

} // namespace sluice

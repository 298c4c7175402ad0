// SPDX-License-Identifier: Apache-2.0
#include "case/language.h"
#include "case/reader.h"

#include <fmt/format.h>

namespace sluice {

namespace {

/// special/timeout: rows of a time and the time between frames from then on.
void read_output_intervals(CaseReader& reader, const XmlElement& e) {
    if (reader.overrides.time_out)
        e.fail("--tout stands beside the <timeout> of the case: leave it out, or put '_' before that name");
    std::vector<OutputInterval> intervals;
    for (const XmlElement& row : e.children()) {
        if (row.name() != "tout") row.fail(fmt::format("<timeout> has no <{}>, it knows <tout>", row.name()));
        reader.expect_attributes(row, {"time", "timeout"});
        const OutputInterval next{row.number("time"), row.number("timeout")};
        if (!(next.period > 0)) row.fail(fmt::format("<tout> timeout must be positive ({})", next.period));
        if (next.begin < (intervals.empty() ? 0 : intervals.back().begin + intervals.back().period * 1e-9))
            row.fail(fmt::format("<tout> time {} does not come after that of the row before; times begin at 0 and "
                                 "ascend",
                                 next.begin));
        intervals.push_back(next);
    }
    reader.out.parameters.output_intervals = std::move(intervals);
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
            else if (e.name() == "initialize")
                read_initialize(reader, e);
            else if (e.name() == "mlayerpistons")
                read_layered_pistons(reader, e);
            else if (e.name() == "shifting")
                read_shifting(reader, e);
            else if (e.name() == "damping")
                read_damping(reader, e);
            else if (e.name() == "relaxationzones")
                read_relaxation_zones(reader, e);
            else if (e.name() == "accinputs")
                read_acceleration_inputs(reader, e);
            else if (e.name() == "inout")
                read_open_zones(reader, e);
            else if (e.name() == "chrono")
                read_chrono(reader, e);
            else if (e.name() == "moorings")
                read_moorings(reader, e);
            else if (e.name() == "flexstrucs")
                read_flexible_structures(reader, e);
            else if (e.name() == "nnphases")
                read_rheologies(reader, e);
            else if (e.name() == "outputparts")
                read_output_parts(reader, e);
            else if (e.name() == "timeout")
                read_output_intervals(reader, e);
            else if (e.name() == "wavepaddles")
                read_paddles(reader, e);
            else if (word->support == Support::ignored)
                reader.ignore(e, e.name());
            else if (word->support == Support::refused)
                reader.unsupported(e.where(), fmt::format("<{}>", e.name()), word->advice);
        });
    }
    check_rheologies(reader);
}

} // namespace sluice
